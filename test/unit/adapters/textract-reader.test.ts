import { AnalyzeDocumentCommand, type Block, TextractClient } from '@aws-sdk/client-textract';
import { mockClient } from 'aws-sdk-client-mock';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { cutBox, turnGeometry } from '../../../functions/adapters/aws/textract-page.ts';
import { TextractReader } from '../../../functions/adapters/aws/textract-reader.ts';
import type { PreparedPage } from '../../../functions/adapters/embedded/prepare-page.ts';
import type { Geometry } from '../../../functions/extraction/domain/reading/geometry.ts';
import { ImageRefused } from '../../../functions/extraction/domain/reading/image-refused.ts';
import type { LineReading } from '../../../functions/extraction/domain/reading/line-recogniser.ts';
import { describeGeometry } from '../../../functions/extraction/domain/reading/page/page-geometry.ts';
import { turnRaster } from '../../../functions/extraction/domain/reading/page/quarter-turn.ts';
import type { Raster } from '../../../functions/extraction/domain/reading/raster.ts';

const CELL = { width: 100, height: 40 };
const COLUMNS = 3;
const ROWS = 2;

/** A page of 3 × 2 cells; cell i holds a block of ink whose gray level is i, so that a crop tells where it is from. */
function pageWithInk(inkedCells: readonly number[]): Raster {
  const page = { width: COLUMNS * CELL.width, height: ROWS * CELL.height + 40 };
  const pixels = new Uint8Array(page.width * page.height).fill(255);
  for (const cell of inkedCells)
    for (let y = 15; y < 25; y++)
      for (let x = 40; x < 60; x++) {
        const row = 20 + Math.floor(cell / COLUMNS) * CELL.height + y;
        pixels[row * page.width + (cell % COLUMNS) * CELL.width + x] = cell;
      }
  return { ...page, pixels };
}

/** Blocks as AnalyzeDocument gives them for that page. */
function blocksOf(words: readonly string[], confidence = 90): Block[] {
  const size = { width: COLUMNS * CELL.width, height: ROWS * CELL.height + 40 };
  const at = (x: number, y: number, width: number, height: number) => ({
    Polygon: [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ].map(([X, Y]) => ({ X: X! / size.width, Y: Y! / size.height })),
  });
  const blocks: Block[] = [];
  const cells = words.map((word, i) => {
    const [x, y] = [(i % COLUMNS) * CELL.width, 20 + Math.floor(i / COLUMNS) * CELL.height];
    if (word !== '')
      blocks.push({
        BlockType: 'WORD',
        Id: `w${i}`,
        Text: word,
        Confidence: confidence,
        Geometry: at(x + 38, y + 13, 24, 14),
      });
    const children = word === '' ? {} : { Relationships: [{ Type: 'CHILD' as const, Ids: [`w${i}`] }] };
    blocks.push({
      BlockType: 'CELL',
      Id: `c${i}`,
      RowIndex: 1 + Math.floor(i / COLUMNS),
      ColumnIndex: 1 + (i % COLUMNS),
      RowSpan: 1,
      ColumnSpan: 1,
      Geometry: at(x, y, CELL.width, CELL.height),
      ...children,
    });
    return `c${i}`;
  });
  blocks.push({
    BlockType: 'TABLE',
    Id: 't',
    Geometry: at(0, 20, size.width, ROWS * CELL.height),
    Relationships: [{ Type: 'CHILD', Ids: cells.reverse() }],
  });
  return blocks;
}

const geometry: Geometry = {
  rotation: 0,
  source: { width: 300, height: 120 },
  oriented: { width: 300, height: 120 },
  crop: null,
};
const readable = { readable: true, issues: [] } as const;

describe('TextractReader', () => {
  const textract = mockClient(TextractClient);
  beforeEach(() => textract.reset());

  /** Says, for a crop, what it is told for the cell that the crop's ink belongs to. */
  function readerOf(
    page: Raster,
    own: Record<number, Partial<Record<'text' | 'numeral', string>>>,
    image: PreparedPage['image'] = readable,
  ) {
    return new TextractReader({
      client: new TextractClient({ region: 'ap-northeast-2' }),
      preparePage: async () => ({ page, geometry, image }),
      recogniser: {
        recognise: async (lines) =>
          lines.map(({ pixels }): LineReading => {
            const { text = '', numeral = '' } = own[Math.min(...pixels)] ?? {};
            return { text: { text, confidence: 0.8 }, numeral: { text: numeral, confidence: 0.8 } };
          }),
      },
    });
  }

  it('takes places from Textract and what is said from our own recogniser, cross-checked', async () => {
    textract.on(AnalyzeDocumentCommand).resolves({ Blocks: blocksOf(['THE', '640000010', '21', '7', '', '1,234']) });
    const reader = readerOf(pageWithInk([0, 1, 2, 3, 4, 5]), {
      0: { text: '가온정' },
      1: { text: '640000010', numeral: '640000010' },
      2: { text: '27', numeral: '27' },
      3: {},
      4: { text: '1', numeral: '1' },
      5: { text: '1,234', numeral: '1.234' },
    });
    const [table] = (await reader.read(new Uint8Array())).tables;
    const cells = table!.cells;
    expect(cells.map(({ row, column }) => [row, column])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
    // Hangul is ours: Textract's Latin in its place is ignored.
    expect(cells[0]).toMatchObject({ text: { text: '가온정', confidence: 0.8 }, numeral: null });
    // Two engines agree.
    expect(cells[1]!.numeral!.text).toBe('640000010');
    expect(cells[1]!.numeral!.confidence).toBeGreaterThan(0.97);
    // They disagree.
    expect(cells[2]!.numeral).toEqual({ text: '27', confidence: 0.4 });
    // Only Textract saw it: nobody checked.
    expect(cells[3]!.numeral!.text).toBe('7');
    expect(cells[3]!.numeral!.confidence).toBeLessThanOrEqual(0.5);
    // Textract overlooked a lone 1.
    expect(cells[4]).toMatchObject({ blank: false, numeral: { text: '1', confidence: 0.8 } });
    // A comma read as a point is no disagreement.
    expect(cells[5]!.numeral!.confidence).toBeGreaterThan(0.97);
  });

  it('leaves cells without ink blank', async () => {
    textract.on(AnalyzeDocumentCommand).resolves({ Blocks: blocksOf(['', '', '', '', '', '']) });
    const [table] = (await readerOf(pageWithInk([1]), { 1: { numeral: '3' } }).read(new Uint8Array())).tables;
    expect(table!.cells.map(({ blank }) => blank)).toEqual([true, false, true, true, true, true]);
    expect(table).toMatchObject({ rowCount: 2, columnCount: 3, bounded: true });
  });

  it('sends the prepared page as a picture that Textract takes', async () => {
    textract.on(AnalyzeDocumentCommand).resolves({ Blocks: [] });
    const long = { width: 12_000, height: 60, pixels: new Uint8Array(12_000 * 60).fill(200) };
    const reading = await readerOf(long, {}).read(new Uint8Array());
    expect(reading.tables).toEqual([]);
    const { Document, FeatureTypes } = textract.commandCalls(AnalyzeDocumentCommand)[0]!.args[0].input;
    expect(FeatureTypes).toEqual(['TABLES']);
    const sent = await sharp(Document!.Bytes!).metadata();
    expect(Math.max(sent.width, sent.height)).toBeLessThanOrEqual(10_000);
  });

  it('does not pay for a picture on which nothing is legible', async () => {
    const image = { readable: false, issues: ['blurred'] } as const;
    const reading = await readerOf(pageWithInk([]), {}, image).read(new Uint8Array());
    expect(reading).toMatchObject({ image, tables: [], texts: [] });
    expect(textract.calls()).toHaveLength(0);
  });

  it('turns the page when Textract finds its text lying', async () => {
    const upright = pageWithInk([0, 5]);
    const lying = turnRaster(upright, 270);
    // Seen in the lying page, points of the upright one have gone a quarter turn clockwise.
    const turned = blocksOf(['1', '', '', '', '', '9']).map((block) => ({
      ...block,
      Geometry: { Polygon: block.Geometry!.Polygon!.map(({ X, Y }) => ({ X: 1 - Y!, Y: X! })) },
    }));
    const line = {
      BlockType: 'LINE' as const,
      Geometry: {
        Polygon: [
          { X: 0.9, Y: 0.1 },
          { X: 0.9, Y: 0.6 },
        ],
      },
    };
    textract.on(AnalyzeDocumentCommand).resolves({ Blocks: [...turned, line] });
    const reading = await readerOf(lying, { 0: { numeral: '1' }, 5: { numeral: '9' } }).read(new Uint8Array());
    expect(reading.geometry.rotation).toBe(90);
    expect(reading.page).toEqual({ width: upright.width, height: upright.height });
    const inked = reading.tables[0]!.cells.filter(({ blank }) => !blank);
    expect(inked.map(({ row, column, numeral }) => [row, column, numeral?.text])).toEqual([
      [0, 0, '1'],
      [1, 2, '9'],
    ]);
  });

  it('refuses a picture that Textract refuses, and passes other failures on', async () => {
    const failure = (name: string) => Object.assign(new Error(name), { name });
    textract
      .on(AnalyzeDocumentCommand)
      .rejectsOnce(failure('BadDocumentException'))
      .rejectsOnce(failure('AccessDenied'));
    const reader = readerOf(pageWithInk([]), {});
    await expect(reader.read(new Uint8Array())).rejects.toThrow(ImageRefused);
    await expect(reader.read(new Uint8Array())).rejects.toThrow('AccessDenied');
  });
});

describe('turnGeometry', () => {
  it('keeps corners clockwise from the top left, in the oriented image and in the source', () => {
    const source = { width: 80, height: 100 };
    const corners = [
      { x: 10, y: 20 },
      { x: 90, y: 20 },
      { x: 90, y: 70 },
      { x: 10, y: 70 },
    ] as const;
    const lying = describeGeometry(source, 270, { corners, score: 0.9 });
    const upright = turnGeometry(lying, 90);
    const turned = [
      { x: 20, y: 10 },
      { x: 70, y: 10 },
      { x: 70, y: 90 },
      { x: 20, y: 90 },
    ];
    expect(upright).toMatchObject({ rotation: 0, source, oriented: source });
    expect(upright.crop).toMatchObject({ score: 0.9, corners: turned, sourceCorners: turned });
    expect(upright.crop!.sourceBox).toEqual(lying.crop!.sourceBox);
    expect([90, 180, 270, 0].reduce((geometry) => turnGeometry(geometry, 90), lying)).toEqual(lying);
  });
});

describe('cutBox', () => {
  it('stays inside the page', () => {
    const page = pageWithInk([]);
    expect(cutBox(page, { x: -5, y: -5, width: 10, height: 10 })).toMatchObject({ width: 5, height: 5 });
    expect(cutBox(page, { x: 299, y: 119, width: 50, height: 50 })).toMatchObject({ width: 1, height: 1 });
    expect(cutBox(page, { x: 900, y: 900, width: 0, height: 0 })).toMatchObject({ width: 1, height: 1 });
  });
});
