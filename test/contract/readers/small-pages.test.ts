import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpusPages } from '../../../bench/pages.ts';
import { decodeImage } from '../../../functions/adapters/codecs/decode-image.ts';
import { EmbeddedReader } from '../../../functions/adapters/readers/embedded-reader.ts';
import { onnxModels } from '../../../functions/adapters/readers/onnx-models.ts';
import { interpretPage } from '../../../functions/extraction/domain/interpret/interpret-page.ts';
import { NUMERIC_FIELDS } from '../../../functions/extraction/domain/sheet-arithmetic.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from '../../../functions/extraction/domain/templates.ts';

/** Pictures that others have drawn, with their truth; not part of the project. */
const SMALL_PAGES = new URL('../../../../shared/data/small-pages/', import.meta.url);
const template = knownTemplate(DEFAULT_TEMPLATE_ID);
let reader: EmbeddedReader;

beforeAll(async () => {
  reader = new EmbeddedReader({ decode: decodeImage, ...(await onnxModels()) });
});

interface SmallPage {
  readonly file: string;
  readonly about: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
}

/** The reading of each line, except its name. */
async function linesOf(image: Uint8Array) {
  const { table } = interpretPage(await reader.read(image), template);
  return (table?.lines ?? []).map((line) =>
    Object.fromEntries(
      (['drugCode', ...NUMERIC_FIELDS] as const).flatMap((field) =>
        line[field].value === null ? [] : [[field, line[field].value]],
      ),
    ),
  );
}

describe('print smaller than the reader was made for', () => {
  it('is enlarged: its codes and numbers are those of the page in its own size', async () => {
    const page = corpusPages('test/fixtures/pages')
      .find(({ truth }) => truth.id === 'screen-001')!
      .bytes();
    const { width = 0 } = await sharp(page).metadata();
    const small = await sharp(page)
      .resize({ width: Math.round(0.6 * width) })
      .png()
      .toBuffer();
    expect(await linesOf(small)).toEqual(await linesOf(page));
  });
});

describe.skipIf(!existsSync(SMALL_PAGES))('small pages', () => {
  const { pages } = existsSync(SMALL_PAGES)
    ? (JSON.parse(readFileSync(new URL('truth.json', SMALL_PAGES), 'utf8')) as { pages: readonly SmallPage[] })
    : { pages: [] };

  it.each(pages)('$file ($about) gives its codes and numbers', async ({ file, rows }) => {
    const lines = await linesOf(readFileSync(new URL(file, SMALL_PAGES)));
    expect(lines).toHaveLength(rows.length);
    // Times a day are printed, but not in the truth.
    expect(lines).toMatchObject(rows.map(({ drugName: _, ...row }) => row));
  });
});
