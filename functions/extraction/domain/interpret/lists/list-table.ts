import type { Box, ReadCell, Reading, ReadTable } from '../../reading/table-reader.ts';
import { hullOf } from '../print.ts';
import { isUnread } from './grid-rows.ts';
import type { Column } from './list-columns.ts';
import type { Line } from './list-lines.ts';
import { withoutListNumbers } from './list-numbers.ts';
import type { Row } from './list-rows.ts';

/** The columns of a list, and the place of its header. */
interface ListColumns {
  readonly names: readonly Column[];
  readonly others: readonly Column[];
  readonly header: Box;
  /** The form's grid, if its rows are the list's. */
  readonly grid: ReadTable | null;
  /** Whether the list ends within its frame. */
  readonly bounded: boolean;
}

const BLANK: Reading = { text: '', confidence: 1 };
/** Ink that could not be read. */
const UNREAD = { blank: false, text: { text: '', confidence: 0 } };

/** A list as a separate table, its header in the first row: codes and names of one cell are two columns. */
export function listTable(rows: readonly Row[], { names, others, header, grid, bounded }: ListColumns): ReadTable {
  const before = others.filter(({ left }) => left < names[0]!.left).length;
  const [ofCode, ofName] = [before, before + 1];
  const columnOf = (index: number) => (index < before ? index : index + 2);
  const headOf = (column: Column | undefined, at: number) =>
    cellAt(0, at, column?.header.box ?? header, { text: column?.header.text ?? '', confidence: 1 }, null);
  const heads = [
    headOf(columnOfKind(names, 'drugCode'), ofCode),
    headOf(columnOfKind(names, 'drugName'), ofName),
    ...others.map((column, index) => headOf(column, columnOf(index))),
  ];
  const unreadIn = (column: Column, gridRow: number | null) =>
    grid !== null && gridRow !== null && isUnread(grid, gridRow, column) && UNREAD;
  const last = names.at(-1)!;
  // Without a rule, a name has no more room than the longest.
  const longest = Math.max(...rows.flatMap(({ lines }) => lines.map(({ box }) => box.x + box.width)));
  const end = last.ruled ? last.right : Math.min(last.right, longest);
  const texts = withoutListNumbers(rows.map(({ name }) => name));
  const body = rows.flatMap(({ code, lines, box, cells, gridRow }, index): readonly ReadCell[] => {
    const row = index + 1;
    const name = texts[index];
    return [
      cellAt(row, ofCode, box, code ?? BLANK, code),
      { ...cellAt(row, ofName, upTo(end, box), name ?? BLANK, null), lines, ...(!name && unreadIn(last, gridRow)) },
      ...others.map((column, n) => {
        const print = cells.get(column);
        if (print) return printedCell(row, columnOf(n), print);
        return { ...cellAt(row, columnOf(n), box, BLANK, null), ...unreadIn(column, gridRow) };
      }),
    ];
  });
  return {
    box: hullOf([header, ...rows.map((row) => row.box)]),
    rowCount: rows.length + 1,
    columnCount: others.length + 2,
    cells: [...heads, ...body],
    bounded,
  };
}

function columnOfKind(columns: readonly Column[], kind: 'drugCode' | 'drugName'): Column | undefined {
  return columns.find(({ header: { match } }) => match?.kind === kind);
}

/** A name has the room up to the end of its column. */
function upTo(right: number, box: Box): Box {
  return Number.isFinite(right) ? { ...box, width: Math.max(box.width, right - box.x) } : box;
}

function printedCell(row: number, column: number, print: Line): ReadCell {
  // Two numbers in it may belong to two columns under one header.
  const pieces = print.parts.length > 1 && { pieces: print.parts };
  return {
    ...cellAt(row, column, print.box, print, print.numeral),
    lines: [{ ...print, ...pieces }],
    ...(print.crossed && { crossed: true }),
  };
}

function cellAt(row: number, column: number, box: Box, text: Reading, numeral: Reading | null): ReadCell {
  return { row, column, rowSpan: 1, columnSpan: 1, box, blank: text.text === '', text, numeral };
}
