import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { Grid } from '../grid.ts';
import { headerRows } from '../lists/row-kinds.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { centerY, hullOf, isLevel, joinPrint, linesOf } from '../print.ts';

/**
 * A stain or a fold that stands like a rule may cut the name of one row. Where a header and as many other names reach over all of
 * its cells, they are one, as if read so.
 */
export function joinCutNames(table: ReadTable, template: Template): ReadTable {
  const grid = new Grid(table);
  const header = headerRows(grid, template).flatMap((row) => grid.inked(row));
  const wide = header.filter(({ columnSpan }) => columnSpan > 1);
  for (const head of wide) {
    const below = table.cells.filter((cell) => cell.row > head.row && cell.column === head.column && namesDrug(cell));
    const cut = below.filter(({ columnSpan }) => columnSpan < head.columnSpan);
    const whole = below.filter(({ columnSpan }) => columnSpan === head.columnSpan);
    if (cut.length > 0 && cut.length <= whole.length) return withJoined(table, cut, head);
  }
  return table;
}

function namesDrug(cell: ReadCell): boolean {
  return linesOf(cell).some((line) => splitCodeAndName(line) !== null || looksLikeDrugName(line.text));
}

function withJoined(table: ReadTable, cut: readonly ReadCell[], { column, columnSpan }: ReadCell): ReadTable {
  const end = column + columnSpan;
  const partsOf = (first: ReadCell) =>
    table.cells.filter(
      (cell) =>
        cell.row === first.row &&
        cell.rowSpan === first.rowSpan &&
        cell.column >= column &&
        cell.column + cell.columnSpan <= end,
    );
  const joined = new Map(
    cut.flatMap((first) => {
      const parts = partsOf(first).toSorted((a, b) => a.column - b.column);
      const isWhole = parts.reduce((width, part) => width + part.columnSpan, 0) === columnSpan;
      const whole = { ...joinLevel(parts), columnSpan };
      return isWhole ? parts.map((part) => [part, whole] as const) : [];
    }),
  );
  return { ...table, cells: [...new Set(table.cells.map((cell) => joined.get(cell) ?? cell))] };
}

/** Cells side by side as one: their lines that stand level are one line. */
function joinLevel(parts: readonly ReadCell[]): ReadCell {
  const [first, ...rest] = parts;
  const lines = [...linesOf(first!)];
  for (const line of rest.flatMap(linesOf)) {
    const at = lines.findIndex(({ box }) => isLevel(box, line.box));
    if (at < 0) lines.push(line);
    else lines[at] = joinPrint(lines[at]!, line, '');
  }
  lines.sort((a, b) => centerY(a.box) - centerY(b.box));
  return {
    ...first!,
    box: hullOf(parts.map(({ box }) => box)),
    text: joinReadings(lines),
    numeral: null,
    ...(parts.some(({ crossed }) => crossed) && { crossed: true }),
    lines,
  };
}
