import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type TextractTable, tablesOf, turnOf } from '../../../../functions/adapters/readers/textract-blocks.ts';

/** Real answers of AnalyzeDocument; not part of the project. */
const SAMPLES = new URL('../../../../../shared/data/textract-samples/', import.meta.url);

function mapSample(name: string) {
  const { Blocks } = JSON.parse(readFileSync(new URL(`${name}.json`, SAMPLES), 'utf8'));
  const turn = turnOf(Blocks);
  return { turn, tables: tablesOf(Blocks, turn, { width: 1000, height: 1400 }) };
}

function textsOf(table: TextractTable): string[][] {
  const rows: string[][] = Array.from({ length: table.rowCount }, () => new Array(table.columnCount).fill(''));
  for (const { row, column, reading } of table.cells) rows[row]![column] = reading.text;
  return rows;
}

describe.skipIf(!existsSync(SAMPLES))('real answers', () => {
  it.each([
    ['gib', 0],
    ['gib_10_degrees', 0],
    ['gib__90_degrees', 90],
  ])('%s gives the same tables however the page lies', (name, turn) => {
    const page = mapSample(name);
    expect(page.turn).toBe(turn);
    expect(page.tables.map(({ rowCount, columnCount }) => [rowCount, columnCount])).toEqual([
      [3, 3],
      [5, 5],
      [8, 3],
    ]);
    expect(textsOf(page.tables[0]!)).toEqual(
      [1, 2, 3].map((row) => [1, 2, 3].map((column) => `Value 1.${row}.${column}`)),
    );
    const [first, , third] = page.tables[0]!.cells;
    expect(third!.left).toBeGreaterThan(first!.right);
  });

  it('cells come in any order, and a merged cell counts wrongly', () => {
    const [table] = mapSample('tables_with_headers_and_merged_cells').tables;
    expect(table!.cells[0]).toMatchObject({ row: 0, column: 0, rowSpan: 1, columnSpan: 5 });
    expect(textsOf(table!)).toEqual([
      ['Previous Employment History', '', '', '', ''],
      ['Start Date', 'End Date', 'Employer Name', 'Position Held', 'Reason for leaving'],
      ['1/15/2009', '6/30/2011', 'Any Company', 'Assistant Baker', 'Family relocated'],
      ['7/1/2011', '8/10/2013', 'Best Corp.', 'Baker', 'Better opportunity'],
      ['8/15/2013', 'present', 'Example Corp.', 'Head Baker', 'N/A, current employer'],
    ]);
  });

  it('merged cells are listed once, at their top left', () => {
    const [table] = mapSample('table-example-response').tables;
    const merged = table!.cells.filter(({ rowSpan, columnSpan }) => rowSpan * columnSpan > 1);
    expect(
      merged.map(({ row, column, rowSpan, columnSpan, reading }) => [row, column, rowSpan, columnSpan, reading.text]),
    ).toEqual([
      [1, 0, 1, 4, 'Previous Balance'],
      [2, 0, 2, 1, '2022-01-01'],
      [5, 0, 1, 4, 'Ending Balance'],
    ]);
    expect(table!.cells).toHaveLength(30 - 3 - 1 - 3);
  });

  it('footers and titles are not a part of the cells', () => {
    const { tables } = mapSample('in-table-footer');
    expect(tables.map(({ rowCount, columnCount }) => [rowCount, columnCount])).toEqual([
      [2, 3],
      [14, 7],
    ]);
    const texts = tables.flatMap(({ cells }) => cells.map(({ reading }) => reading.text));
    expect(texts).not.toContain('(Rev. 7-2021)');
    for (const table of tables)
      for (const cell of table.cells) {
        expect(cell.left).toBeGreaterThanOrEqual(table.left);
        expect(cell.bottom).toBeLessThanOrEqual(table.bottom);
      }
  });
});

describe('turnOf', () => {
  const line = (x0: number, y0: number, x1: number, y1: number) => ({
    BlockType: 'LINE' as const,
    Geometry: {
      Polygon: [
        { X: x0, Y: y0 },
        { X: x1, Y: y1 },
      ],
    },
  });

  it.each([
    [0, line(0.1, 0.1, 0.5, 0.12)],
    [90, line(0.9, 0.1, 0.9, 0.5)],
    [180, line(0.9, 0.9, 0.5, 0.9)],
    [270, line(0.1, 0.9, 0.1, 0.5)],
  ])('is %d', (turn, long) => {
    expect(turnOf([long, line(0.2, 0.2, 0.21, 0.2), line(0.3, 0.3, 0.29, 0.3)])).toBe(turn);
  });

  it('of nothing is 0', () => {
    expect(turnOf([])).toBe(0);
  });
});
