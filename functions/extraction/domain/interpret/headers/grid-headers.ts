import { medianOf } from '../../median.ts';
import { range } from '../../range.ts';
import type { Box, ReadTable } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { Grid } from '../grid.ts';
import { headerRows, isBodyLike } from '../lists/row-kinds.ts';
import { centerX, hullOf, type Print } from '../print.ts';
import type { Header, HeaderCell } from './find-headers.ts';
import { matchHeader } from './header-words.ts';

/** A header of a grid by its columns alone, each with the prints over its first line; null where it shows no line. */
export function gridHeader(table: ReadTable, prints: readonly Print[], template: Template): Header | null {
  const grid = new Grid(table);
  const rows = headerRows(grid, template);
  const first = range((rows.at(-1) ?? -1) + 1, grid.rowCount).find((row) => isBodyLike(grid.inked(row)));
  if (first === undefined) return null;
  const cells = gridColumns(
    grid,
    rows,
    prints.filter((print) => print.table === table),
    template,
  );
  const top = Math.min(...grid.inked(first).map(({ box }) => box.y));
  return { cells, box: { x: table.box.x, y: top, width: table.box.width, height: 0 }, table };
}

/** A header with the cells of its row in the grid that hold none of its words: their words were not read. */
export function withOpenCells(header: Header): Header {
  const { table, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = header;
  if (!table) return header;
  const rows = new Set(header.cells.flatMap(({ prints }) => prints.flatMap(({ cell }) => (cell ? cell.row : []))));
  const isUnder = (cell: Box) =>
    header.cells.some(
      ({ box, prints }) =>
        holds(cell, centerX(box)) || prints.some((print) => print.cell && holds(print.cell.box, centerX(cell))),
    );
  const open = table.cells
    .filter(({ row, box }) => rows.has(row) && centerX(box) > from && centerX(box) < to && !isUnder(box))
    .toSorted((a, b) => b.row - a.row)
    .filter(
      (cell, index, all) =>
        !all.slice(0, index).some(({ box }) => holds(box, centerX(cell.box)) || holds(cell.box, centerX(box))),
    );
  if (open.length === 0) return header;
  const cells = open.map(
    ({ box, text }): HeaderCell => ({ text: text.text, match: null, prints: [], box, isColumn: true }),
  );
  return { ...header, cells: [...header.cells, ...cells].sort((a, b) => centerX(a.box) - centerX(b.box)) };
}

function holds({ x, width }: Box, at: number): boolean {
  return at > x && at < x + width;
}

/** The columns of a grid, each headed by the prints that the rows of its header have in it alone. */
function gridColumns(
  grid: Grid,
  rows: readonly number[],
  prints: readonly Print[],
  template: Template,
): readonly HeaderCell[] {
  return range(0, grid.columnCount).flatMap((column): HeaderCell[] => {
    const cells = range(0, grid.rowCount)
      .flatMap((row) => grid.at(row, column) ?? [])
      .filter(({ columnSpan }) => columnSpan === 1);
    if (cells.length === 0) return [];
    const left = medianOf(cells.map(({ box }) => box.x));
    const right = medianOf(cells.map(({ box }) => box.x + box.width));
    const own = prints.filter(
      ({ cell }) => cell?.column === column && cell.columnSpan === 1 && rows.includes(cell.row),
    );
    const text = own.map((print) => print.text).join('');
    const { y, height } = own.length > 0 ? hullOf(own.map(({ box }) => box)) : { y: cells[0]!.box.y, height: 0 };
    const box = { x: left, y, width: right - left, height };
    return [{ text, match: text === '' ? null : matchHeader(text, template), prints: own, box, isColumn: true }];
  });
}
