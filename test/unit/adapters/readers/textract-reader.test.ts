import { AnalyzeDocumentCommand, type Block, TextractClient } from '@aws-sdk/client-textract';
import { mockClient } from 'aws-sdk-client-mock';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { corpusPages } from '../../../../bench/pages.ts';
import { decodeImage } from '../../../../functions/adapters/codecs/decode-image.ts';
import { EmbeddedReader } from '../../../../functions/adapters/readers/embedded-reader.ts';
import { TextractReader } from '../../../../functions/adapters/readers/textract-reader.ts';
import {
  AS_STORED,
  type DecodedImage,
  type ImageDecoder,
} from '../../../../functions/extraction/domain/reading/decoded-image.ts';
import type { LineRecogniser } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { turnRaster } from '../../../../functions/extraction/domain/reading/page/quarter-turn.ts';
import type { PageModels } from '../../../../functions/extraction/domain/reading/page-models.ts';
import type { PageReading } from '../../../../functions/extraction/domain/reading/table-reader.ts';
import { knownTemplate } from '../../../../functions/extraction/domain/templates.ts';
import { rememberingModels } from '../../../helpers/remembering-models.ts';
import { textractBlocks } from '../../../helpers/service-answers.ts';

/** A screenshot of a ruled table: upright and straight, so that its truth's places are the prepared page's. */
const { truth, bytes } = corpusPages('test/fixtures/pages').find((page) => page.truth.id === 'screen-004')!;
const grid = truth.table!.grid;
const template = knownTemplate('default');
const HANGUL = /[가-힣]/;

/** The picture's edge cuts through the last row. */
const numericCells = grid.cells.filter(({ row, text }) => row < grid.rowCount - 1 && /^[\d,]+$/.test(text));
const digits = (text: string | undefined) => (text ?? '').replace(/\D/g, '');
const cellAt = ({ tables }: PageReading, row: number, column: number) =>
  tables[0]!.cells.find((cell) => cell.row === row && cell.column === column)!;

describe('TextractReader', () => {
  const textract = mockClient(TextractClient);
  afterAll(() => textract.restore());
  let models: PageModels;
  let reader: TextractReader;

  beforeAll(async () => {
    models = await rememberingModels();
    reader = readerOf(decodeImage);
  });
  beforeEach(() => textract.reset());

  function readerOf(decode: ImageDecoder, recogniser = models.recogniser): TextractReader {
    return new TextractReader({
      client: new TextractClient({ region: 'ap-northeast-2' }),
      decode,
      ...models,
      recogniser,
    });
  }

  /** Cannot decide on the orientation, and reads the page that Textract has turned. */
  const lateRecogniser: LineRecogniser = {
    async recognise(lines) {
      const illegible = { text: { text: '', confidence: 0 }, numeral: { text: '', confidence: 0 } };
      return textract.calls().length === 0 ? lines.map(() => illegible) : models.recogniser.recognise(lines);
    },
  };

  it('takes places from Textract and texts from our own recogniser, Hangul above all', async () => {
    textract.on(AnalyzeDocumentCommand).resolves({ Blocks: textractBlocks(truth) });
    const reading = await reader.read(bytes(), template);
    const [table] = reading.tables;
    expect(table).toMatchObject({ rowCount: grid.rowCount, columnCount: grid.columnCount });
    const right = numericCells.filter(
      ({ row, column, text }) => digits(cellAt(reading, row, column).numeral?.text) === digits(text),
    );
    expect(right.length / numericCells.length).toBeGreaterThan(0.95);
    for (const { row, column } of right) expect(cellAt(reading, row, column).numeral!.confidence).toBeGreaterThan(0.9);
    const names = grid.cells
      .filter(({ text }) => HANGUL.test(text))
      .map(({ row, column }) => cellAt(reading, row, column).text.text);
    expect(names.filter((name) => HANGUL.test(name)).length / names.length).toBeGreaterThan(0.9);
    expect(names).not.toContain('THE');
  });

  it('doubts digits that the two engines read differently, and keeps its own', async () => {
    const [cell] = numericCells.filter(({ text }) => text.length >= 4);
    const other = cell!.text.replace(/\d$/, (digit) => String((Number(digit) + 3) % 10));
    textract
      .on(AnalyzeDocumentCommand)
      .resolves({ Blocks: textractBlocks(truth, { [`${cell!.row} ${cell!.column}`]: other }) });
    const { numeral } = cellAt(await reader.read(bytes(), template), cell!.row, cell!.column);
    expect(digits(numeral!.text)).toBe(digits(cell!.text));
    expect(numeral!.confidence).toBeLessThanOrEqual(0.5);
  });

  it('reads what Textract overlooked', async () => {
    const [cell] = numericCells.filter(({ text }) => text.length === 1);
    textract
      .on(AnalyzeDocumentCommand)
      .resolves({ Blocks: textractBlocks(truth, { [`${cell!.row} ${cell!.column}`]: '' }) });
    const { numeral, blank } = cellAt(await reader.read(bytes(), template), cell!.row, cell!.column);
    expect({ text: numeral?.text, blank }).toEqual({ text: cell!.text, blank: false });
  });

  it('turns the page when Textract finds its text upside down', async () => {
    const upright = await decodeImage(bytes());
    const inverted = { ...upright, raster: turnRaster(upright.raster, 180) };
    const turnedBlocks = textractBlocks(truth).map((block) => ({
      ...block,
      Geometry: { Polygon: block.Geometry?.Polygon?.map(({ X, Y }) => ({ X: 1 - X!, Y: 1 - Y! })) ?? [] },
    }));
    const line: Block = {
      BlockType: 'LINE',
      Geometry: {
        Polygon: [
          { X: 0.9, Y: 0.9 },
          { X: 0.4, Y: 0.9 },
        ],
      },
    };
    textract.on(AnalyzeDocumentCommand).resolves({ Blocks: [...turnedBlocks, line] });
    const reading = await readerOf(async () => inverted, lateRecogniser).read(bytes(), template);
    expect(reading.geometry.rotation).toBe(180);
    expect(reading.page).toMatchObject(upright.source);
    const { row, column, text } = numericCells[0]!;
    expect(digits(cellAt(reading, row, column).numeral?.text)).toBe(digits(text));
  });

  it('sends a picture that Textract takes', async () => {
    textract.on(AnalyzeDocumentCommand).resolves({ Blocks: [] });
    const source = { width: 12_000, height: 60 };
    const pixels = Uint8Array.from({ length: source.width * source.height }, (_, i) => (i % 500 < 5 ? 20 : 220));
    const wide: DecodedImage = { raster: { ...source, pixels }, source, orientation: AS_STORED, pageCount: 1 };
    expect((await readerOf(async () => wide).read(bytes(), template)).tables).toEqual([]);
    const { Document, FeatureTypes } = textract.commandCalls(AnalyzeDocumentCommand)[0]!.args[0].input;
    expect(FeatureTypes).toEqual(['TABLES']);
    const { width, height } = await sharp(Document!.Bytes!).metadata();
    expect(Math.max(width, height)).toBeLessThanOrEqual(10_000);
  });

  it('does not pay for a picture on which nothing is legible', async () => {
    const blank = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    const reading = await reader.read(blank, template);
    expect(reading).toMatchObject({ image: { readable: false }, tables: [], texts: [] });
    expect(textract.calls()).toHaveLength(0);
  });

  it.each([
    ['ThrottlingException', 'throttled'],
    ['ProvisionedThroughputExceededException', 'throttled'],
    ['InternalServerError', 'failed'],
    ['BadDocumentException', 'failed'],
    ['AccessDeniedException', 'failed'],
  ] as const)('reads by itself after %s of Textract, and says so', async (name, outcome) => {
    const failures: string[] = [];
    const counting = new TextractReader({
      client: new TextractClient({ region: 'ap-northeast-2', maxAttempts: 1 }),
      ...models,
      decode: decodeImage,
      onFallback: async (error) => void failures.push((error as Error).name),
    });
    textract.on(AnalyzeDocumentCommand).rejects(Object.assign(new Error(name), { name }));
    const reading = await counting.read(bytes(), template);
    expect(reading).toEqual({
      ...(await new EmbeddedReader({ decode: decodeImage, ...models }).read(bytes())),
      service: { name: 'textract', outcome },
    });
    expect(failures).toEqual([name]);
  });

  it('spares Textract a page on which our own reading finds no drug table', async () => {
    const [receipt] = corpusPages('test/fixtures/pages').filter(({ truth: { table } }) => table === null);
    const reading = await reader.read(receipt!.bytes(), template);
    expect(reading.service).toEqual({ name: 'textract', outcome: 'not_asked' });
    expect(textract.calls()).toHaveLength(0);
  });
});
