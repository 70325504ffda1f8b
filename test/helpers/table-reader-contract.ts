import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpusPages } from '../../bench/pages.ts';
import { isLevel } from '../../functions/extraction/domain/interpret/print.ts';
import type {
  PageReading,
  ReadTable,
  ReadText,
  TableReader,
} from '../../functions/extraction/domain/reading/table-reader.ts';
import { DEFAULT_TEMPLATE_ID, findTemplate } from '../../functions/extraction/domain/templates.ts';

const template = findTemplate(DEFAULT_TEMPLATE_ID)!;
/** Committed pages: one drug table of every class, and another paper. */
export const contractPages = corpusPages('test/fixtures/pages').filter(({ truth }) => truth.id.endsWith('-001'));

/** The contract of every TableReader: run it with each adapter. */
export function describeTableReader(name: string, reader: () => TableReader, pages = contractPages): void {
  describe(`${name} as a table reader`, () => {
    for (const { truth, bytes } of pages)
      it(`reads the rows of ${truth.id}, in coherent grids`, async () => {
        const reading = await reader().read(bytes(), template);
        expectCoherent(reading);
        const { width, height } = truth.image;
        expect(reading.geometry.source).toEqual({ width, height });
        if (!truth.table) return;
        expect(reading.geometry.rotation).toBe(truth.geometry.rotation);
        expect(reading.image.readable).toBe(true);
        const rows = truth.table.rows.filter(({ cut, item }) => !cut && item.drugCode !== null);
        const found = rows.filter(({ item }) => rowWith(reading, item.drugCode!) !== null);
        expect(found.length / rows.length, 'lines whose code was read').toBeGreaterThanOrEqual(0.8);
        const amounts = found.filter(({ item }) => item.totalAmount !== null);
        const beside = amounts.filter(({ item }) =>
          rowWith(reading, item.drugCode!)!.includes(String(item.totalAmount)),
        );
        expect(beside.length, 'amounts in the row of their code').toBeGreaterThanOrEqual(0.8 * amounts.length);
      });

    it.each([
      ['a text that calls itself an image', Buffer.from('code,name\n641600010,아스피린'), 'unsupported_media_type'],
      ['a JPEG that is cut off', cutJpeg(), 'unreadable_image'],
    ])('refuses %s', async (_, bytes, refusal) => {
      await expect(reader().read(bytes, template)).rejects.toMatchObject({ name: 'ImageRefused', refusal });
    });

    it('finds nothing on a picture of one pixel, and says that nothing can be read', async () => {
      const pixel = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
        'base64',
      );
      const reading = await reader().read(pixel, template);
      expect(reading.tables).toEqual([]);
      expect(reading.image.readable).toBe(false);
      expect(reading.image.issues.length).toBeGreaterThan(0);
    });
  });
}

function cutJpeg(): Uint8Array {
  const bytes = readFileSync('test/fixtures/pages/scan-001.jpg');
  return bytes.subarray(0, bytes.length >> 1);
}

/** The digits of every cell, or of every text, in the row with a code; null if no row shows it. */
function rowWith({ tables, texts }: PageReading, code: string): readonly string[] | null {
  for (const { cells } of tables) {
    const place = cells.find(({ numeral, text }) => [numeral?.text, text.text].some((read) => digits(read) === code));
    if (place) return cells.filter(({ row }) => row === place.row).map(({ numeral }) => digits(numeral?.text));
  }
  const prints = texts.flatMap((text): readonly ReadText[] => text.pieces ?? [text]);
  const place = prints.find(({ text }) => digits(text) === code);
  return place ? prints.filter(({ box }) => isLevel(box, place.box)).map(({ text }) => digits(text)) : null;
}

function digits(text: string | undefined): string {
  return (text ?? '').replace(/[^0-9A-Z]/g, '');
}

function expectCoherent({ tables, texts, page, image }: PageReading): void {
  if (!image.readable) expect(image.issues.length).toBeGreaterThan(0);
  for (const table of tables) {
    expect(cellsPerPlace(table), 'every place of the grid belongs to exactly one cell').toEqual(
      new Set(Array.from({ length: table.rowCount * table.columnCount }, (_, index) => index)),
    );
    for (const { box, blank, text, numeral } of table.cells) {
      expect(box.width).toBeGreaterThan(0);
      expect(box.height).toBeGreaterThan(0);
      expect(box.x + box.width).toBeLessThanOrEqual(page.width + 1);
      expect(box.y + box.height).toBeLessThanOrEqual(page.height + 1);
      if (blank) expect(text.text).toBe('');
      expect(numeral?.text ?? '').toMatch(/^[0-9.,-]*$/);
      for (const { confidence } of [text, ...(numeral ? [numeral] : [])]) expectProbability(confidence);
    }
  }
  for (const { confidence } of texts) expectProbability(confidence);
}

function expectProbability(value: number): void {
  expect(value).toBeGreaterThanOrEqual(0);
  expect(value).toBeLessThanOrEqual(1);
}

function cellsPerPlace({ cells, columnCount }: ReadTable): Set<number> {
  const places = new Set<number>();
  for (const { row, column, rowSpan, columnSpan } of cells)
    for (let r = row; r < row + rowSpan; r++)
      for (let c = column; c < column + columnSpan; c++) {
        expect(places.has(r * columnCount + c), `row ${r}, column ${c} belongs to two cells`).toBe(false);
        places.add(r * columnCount + c);
      }
  return places;
}
