import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { CORPUS_TODAY } from '../../../bench/corpus/master.ts';
import { type CorpusPage, corpusPages, masterFile } from '../../../bench/pages.ts';
import { decodeImage } from '../../../functions/adapters/codecs/decode-image.ts';
import { loadMaster } from '../../../functions/adapters/drug-master/master-bytes.ts';
import { EmbeddedReader } from '../../../functions/adapters/readers/embedded-reader.ts';
import { onnxModels } from '../../../functions/adapters/readers/onnx-models.ts';
import { explainPage } from '../../../functions/extraction/domain/explain-page.ts';
import { judgePage } from '../../../functions/extraction/domain/judge-page.ts';
import type { DrugMaster } from '../../../functions/extraction/domain/master/drug-master.ts';
import { DEFAULT_TEMPLATE_ID, findTemplate } from '../../../functions/extraction/domain/templates.ts';
import { explanationOf } from '../../../show/explanation.ts';

const FORMS = 'test/fixtures/forms';
const template = findTemplate(DEFAULT_TEMPLATE_ID)!;
const pages = [...corpusPages(FORMS), ...corpusPages('test/fixtures/pages')];
let reader: EmbeddedReader;
let master: DrugMaster;

beforeAll(async () => {
  reader = new EmbeddedReader({ decode: decodeImage, ...(await onnxModels()) });
  master = await loadMaster(readFileSync(masterFile(FORMS)));
});

async function readFixture(id: string, as = async (bytes: Uint8Array): Promise<Uint8Array> => bytes) {
  const page = pages.find(({ truth }) => truth.id === id)!;
  const reading = await reader.read(await as(page.bytes()));
  return {
    printed: printedLines(page),
    judged: judgePage(reading, template, master, { today: CORPUS_TODAY, serviceDate: CORPUS_TODAY }),
    explanation: explanationOf(explainPage(reading, template, master, { today: CORPUS_TODAY })),
  };
}

function printedLines({ truth }: CorpusPage) {
  return (truth.table?.rows ?? []).map(({ item: { drugCode, quantity, days } }) => ({ drugCode, quantity, days }));
}

describe('a prescription by the form of law', () => {
  it.each(['prescription-001', 'prescription-002', 'prescription-004'])(
    '%s gives its lines, and says where they stood',
    async (id) => {
      const { printed, judged, explanation } = await readFixture(id);
      expect(judged).toMatchObject({ documentType: 'drug_table', foundTable: true });
      expect(judged.meta.documentKind).toBe('prescription');
      expect(judged.items).toHaveLength(printed.length);
      expect(judged.items).toMatchObject(printed);
      for (const { prescribedQty, unitPrice, totalAmount } of judged.items)
        expect([prescribedQty, unitPrice, totalAmount]).toEqual([null, null, null]);
      const list = explanation.find((sentence) => / a table of drugs /.test(sentence));
      expect(list).toMatch(/명 ?칭.* \(drugName\).*총투약일수 \(days\).*rows: .*\d line/);
    },
  );
});

describe('the table of a prescription that runs down its left half and on in its right one', () => {
  it('gives the lines of the left half, then those of the right one', async () => {
    const { printed, judged } = await readFixture('prescription-003');
    expect(judged).toMatchObject({ documentType: 'drug_table', foundTable: true });
    expect(judged.items).toHaveLength(printed.length);
    expect(judged.items).toMatchObject(printed);
  });
});

describe("a program's window of several grids", () => {
  it('gives the lines of the one that holds the drugs, and says why the others hold none', async () => {
    const { printed, judged, explanation } = await readFixture('screen-grids-001');
    expect(judged.meta.documentKind).toBe('edi_claim');
    expect(judged.items).toMatchObject(printed);
    expect(explanation.filter((sentence) => /: a table of drugs /.test(sentence))).toHaveLength(1);
    expect(
      explanation.filter((sentence) => /: no table of drugs: (?:too few codes|none of its rows)/.test(sentence)),
    ).not.toHaveLength(0);
  });
});

describe("a pharmacy's guide", () => {
  it('gives a line for each of its blocks, none of which has a code', async () => {
    const { printed, judged } = await readFixture('guide-001');
    expect(judged.items).toMatchObject(printed);
    expect(judged.items.every(({ drugCode }) => drugCode === null)).toBe(true);
  });
});

describe('a paper with numbers in columns', () => {
  it('is not a table of drugs, and the explanation says what it lacks', async () => {
    const { judged, explanation } = await readFixture('negative-003');
    expect(judged).toMatchObject({ documentType: 'other', foundTable: false, items: [] });
    expect(explanation).toEqual([
      expect.stringMatching(/^No table of drugs: .* no grid, and no list below header words/),
      'The network was not asked.',
    ]);
  });
});

describe('a screen in a dark theme', () => {
  it('gives its lines as the light one does', async () => {
    const dark = await readFixture('screen-grids-001', (bytes) =>
      sharp(bytes).negate({ alpha: false }).png().toBuffer(),
    );
    expect(dark.judged).toMatchObject({ documentType: 'drug_table', foundTable: true });
    expect(dark.judged.items).toHaveLength(dark.printed.length);
    expect(dark.judged.items).toMatchObject(dark.printed);
  });
});
