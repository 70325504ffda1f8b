import { expect, it } from 'vitest';
import { Grid } from '../../../../../functions/extraction/domain/interpret/grid.ts';
import { nameReader } from '../../../../../functions/extraction/domain/interpret/names/name-reader.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

/** Whether the first of two names has room behind it, where the second has these lines. */
function hasRoom(...second: readonly string[]): boolean | undefined {
  const names = [['가나디이알서방정200밀리그램(인'], second];
  const { cells, ...table } = readTable(names.map((lines) => [lines.join('')]));
  const placed = cells.map((cell, row) => ({
    ...cell,
    lines: names[row]!.map((text, index) => {
      const box = { x: 0, y: 40 * row + 18 * index, width: 10 * text.length, height: 16 };
      return { text, confidence: 0.99, numeral: null, box };
    }),
  }));
  const grid = new Grid({ ...table, cells: placed });
  const nameOf = nameReader(grid, new Map([['drugName', 0]]), [0, 1], (row) => grid.at(row, 0));
  return nameOf(0).nameHasRoom;
}

it('a name of one line has room on a sheet with wrapping names, however full the line is', () => {
  expect(hasRoom('다라연질캡슐300밀리그램(프라수', '그렐염산염)')).toBe(true);
  expect(hasRoom('다라연질캡슐300밀리그램(프라수')).toBe(false);
});

it('a name has no clear end where a border that only its own row has cuts its last syllable off', () => {
  const { cells, ...table } = readTable([['가나정30밀리그', '램', '1']]);
  const placed = cells.map((cell, column) => {
    const box = { x: [0, 85, 300][column]!, y: 0, width: 10 * cell.text.text.length, height: 16 };
    return { ...cell, lines: [{ ...cell.text, numeral: null, box }] };
  });
  const grid = new Grid({ ...table, cells: placed });
  const columns = new Map([['drugName', 0] as const, ['quantity', 2] as const]);
  const nameOf = nameReader(grid, columns, [0], (row, field) => grid.at(row, columns.get(field as 'drugName') ?? 1));
  expect(nameOf(0).nameEnd).toMatchObject({ isClear: false });
});
