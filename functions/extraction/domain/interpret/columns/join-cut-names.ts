import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { codeOfLine } from '../codes/code-line.ts';
import { showsCode } from '../codes/shows-code.ts';
import { Grid } from '../grid.ts';
import { headerRows } from '../lists/row-kinds.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { centerY, hullOf, isLevel, joinPrint, linesOf } from '../print.ts';

/** Other names that reach over all of its cells, where the header does not. */
const MIN_WHOLE = 2;

/**
 * A stain or a fold that looks like a rule may cut the name of one row, or a rule its name from its code. If a header and as many other
 * names, or several names, reach over all of its cells, the cells are joined.
 */
export function joinCutNames(table: ReadTable, template: Template): ReadTable {
  const grid = new Grid(table);
  const rows = headerRows(grid, template);
  const first = rows[0] ?? -1;
  const heads = rows.flatMap((row) => grid.inked(row)).filter(({ columnSpan }) => columnSpan > 1);
  const named = table.cells.filter((cell) => cell.row > first && namesDrug(cell));
  const wide = named.filter((cell) => cell.columnSpan > 1 && !heads.some((head) => head.column === cell.column));
  const places = new Map(wide.map((cell) => [`${cell.column} ${cell.columnSpan}`, cell]));
  for (const head of [...heads, ...places.values()]) {
    const whole = named.filter(({ column, columnSpan }) => column === head.column && columnSpan === head.columnSpan);
    const known = new Set(whole.map(({ row }) => row));
    const beside = named.filter((cell) => isPartOf(cell, head) && !known.has(cell.row));
    const cut = [...new Set(beside.map(({ row }) => row))].flatMap((row) => grid.at(row, head.column) ?? []);
    const needed = heads.includes(head) ? cut.length : Math.max(cut.length, MIN_WHOLE);
    if (cut.length > 0 && whole.length >= needed) return withJoined(table, cut, head);
  }
  return table;
}

function isPartOf({ column, columnSpan }: ReadCell, whole: ReadCell): boolean {
  return column >= whole.column && column + columnSpan <= whole.column + whole.columnSpan;
}

function namesDrug(cell: ReadCell): boolean {
  return linesOf(cell).some(
    (line) => showsCode(line) || splitCodeAndName(line) !== null || looksLikeDrugName(line.text),
  );
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

/** Cells side by side as one: level lines become one line. */
function joinLevel(parts: readonly ReadCell[]): ReadCell {
  const [first, ...rest] = parts;
  const lines = [...linesOf(first!)];
  for (const line of rest.flatMap(linesOf)) {
    const at = lines.findIndex(({ box }) => isLevel(box, line.box));
    if (at < 0) lines.push(line);
    else lines[at] = joinPrint(lines[at]!, line, codeOfLine(lines[at]!) ? ' ' : '');
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
