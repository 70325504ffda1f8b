import { describe, expect, it } from 'vitest';
import { splitNumberColumns } from '../../../../../functions/extraction/domain/interpret/columns/split-number-column.ts';
import type { ReadLine, ReadPiece } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { type CellSpec, readTable } from '../../../../helpers/page-reading.ts';

const LINE = 10;

function piece(text: string, x: number, y: number): ReadPiece {
  const numeral = /^\d/.test(text) ? { text, confidence: 1 } : null;
  return { text, confidence: 1, numeral, box: { x, y, width: 6 * text.length, height: LINE } };
}

/** A cell whose one line has pieces at these places. */
function cell(y: number, ...pieces: readonly (readonly [text: string, x: number])[]): CellSpec {
  const parts = pieces.map(([text, x]) => piece(text, x, y));
  const [first] = parts;
  const text = parts.map((part) => part.text).join('');
  const line: ReadLine = { ...first!, text, pieces: parts.length > 1 ? parts : undefined! };
  return { text, lines: [line] };
}

/** Texts of the rows of a table with one column from 100 to 190. */
function split(...cells: readonly CellSpec[]) {
  const table = readTable(cells.map((spec) => [spec]));
  const box = { x: 100, y: 0, width: 90, height: 20 };
  const { cells: found, columnCount } = splitNumberColumns({
    ...table,
    cells: table.cells.map((each) => ({ ...each, box })),
  });
  return cells.map((_, row) =>
    Array.from({ length: columnCount }, (_, column) => {
      const here = found.find((each) => each.row === row && each.column === column)!;
      return here.blank ? '' : here.text.text;
    }),
  );
}

describe('two columns of numbers that were read as one', () => {
  const header: CellSpec = {
    text: '횟수 일수',
    lines: [{ ...piece('횟수 일수', 110, 0), box: { x: 110, y: 0, width: 70, height: LINE } }],
  };

  it('are two, each with the word over it', () => {
    expect(split(header, cell(20, ['2', 115], ['60', 160]), cell(40, ['3', 115], ['5', 165]))).toEqual([
      ['횟수', '일수'],
      ['2', '60'],
      ['3', '5'],
    ]);
  });

  it('are two where a row shows only one of the numbers', () => {
    const rows = [cell(20, ['2', 115], ['60', 160]), cell(40, ['3', 115], ['5', 165]), cell(60, ['7', 165])];
    expect(split(header, ...rows).at(-1)).toEqual(['', '7']);
  });

  it('are two where the first has its unit', () => {
    const rows = [cell(20, ['1T', 115], ['3', 160]), cell(40, ['0.5T', 110], ['2', 160])];
    expect(split(header, ...rows).slice(1)).toEqual([
      ['1T', '3'],
      ['0.5T', '2'],
    ]);
  });

  it('are two though pieces of the rule between them hang on numbers', () => {
    const withRule = (y: number, [first, x]: readonly [string, number], last: readonly [string, number]): CellSpec => {
      const spec = cell(y, [first, x], last) as { text: string; lines: ReadLine[] };
      const [left, right] = spec.lines[0]!.pieces!;
      const box = { ...left!.box, width: 25, height: 2 * LINE };
      return { ...spec, lines: [{ ...spec.lines[0]!, pieces: [{ ...left!, box }, right!] }] };
    };
    const rows = [withRule(20, ['2', 115], ['60', 154]), withRule(40, ['3', 115], ['5', 154])];
    expect(split(header, ...rows).slice(1)).toEqual([
      ['2', '60'],
      ['3', '5'],
    ]);
  });

  it.each([
    ['one row shows two', [cell(20, ['2', 115], ['60', 160]), cell(40, ['30', 135])]],
    ['the numbers are not in two places', [cell(20, ['2', 115], ['60', 160]), cell(40, ['3', 150], ['5', 180])]],
    [
      'they are as close as a number and its unit',
      [cell(20, ['1', 115], ['1', 132]), cell(40, ['2', 115], ['1', 132])],
    ],
    ['words lie next to the numbers', [cell(20, ['2', 115], ['식후', 160]), cell(40, ['3', 115], ['식후', 160])]],
  ])('are one where %s', (_, rows) => {
    expect(split(header, ...rows)[0]).toEqual(['횟수 일수']);
  });
});
