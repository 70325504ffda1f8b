import type { Box, ReadTable } from '../../reading/table-reader.ts';
import { withCodesBelow } from '../codes/codes-below-names.ts';
import type { Header } from '../headers/find-headers.ts';
import { cutNumbers, doubtedPrint, isQuantity, joinSplitNumbers } from '../numbers/split-numbers.ts';
import { centerY, hullOf, isLevel, overlap, type Print } from '../print.ts';
import { isAcross } from './grid-rows.ts';
import { type Column, isNumeric, isWithin, listColumns, partAtBorder } from './list-columns.ts';
import { type Line, linesOf } from './list-lines.ts';
import { isListEnd, isNextPart, isPartEnd, isPieceOfPartEnd, isSectionTitle } from './list-marks.ts';
import { ownCodeColumns, type Row, rowsOf } from './list-rows.ts';
import { listTable } from './list-table.ts';
import { nameColumnsOf } from './name-columns.ts';
import { areGridRows, otherRows, totalRows } from './other-rows.ts';
import { isRemarkLine } from './remark-lines.ts';
import { labelledTotal } from './row-kinds.ts';
import { joinRuledRows } from './ruled-rows.ts';
import { straightened } from './straight-columns.ts';

/**
 * The list below a header as a separate table: its columns by the header's words, their cells and the numbers below them, its rows by the codes, the
 * names and the form's rules.
 * @param until start of the next header of the same columns.
 * @param isWhole whether all of a list without a grid is on the page.
 */
export function listBelow(
  header: Header,
  printed: readonly Print[],
  until: number,
  isWhole: (list: Box) => boolean,
): ReadTable | null {
  const { table, below: printedBelow, columns } = columnsBelow(header, printed, until);
  const below = printedBelow.flatMap((print) => partAtBorder(print, columns));
  const inColumn = (column: Column) => below.filter(isWithin(column));
  const names = nameColumnsOf(columns, inColumn);
  if (names.length === 0) return null;
  const others = columns.filter((column) => !names.includes(column));
  // Where paper bends, the words of a header are found in two cells, and columns overlap.
  const codes = ownCodeColumns(names);
  const isSize = (print: Print) => SIZE.test(print.text) && codes.some((column) => isWithin(column)(print));
  const named = [...new Set(names.flatMap(inColumn))];
  const lines = linesOf(named.filter((print) => !isAcross(print.cell, print.table) && !isSize(print)));
  const across = linesOf(below);
  const byColumn = new Map(others.map((column) => [column, inColumn(column)]));
  const beside = [...byColumn.values()];
  const parts = partsOf(lines, across);
  const listed = parts.lines.filter(({ text }) => !isRemarkLine(text) && !isSectionTitle(text));
  const rows = rowsOf(withCodesBelow(joinRuledRows(listed, beside), beside.flat()), byColumn, names);
  if (rows.length === 0) return null;
  const totals = totalRows(across, byColumn).filter(({ box }) => box.y > rows[0]!.box.y);
  const grid = areGridRows(rows) ? table : null;
  const bottom = header.box.y + header.box.height;
  const reachTo = (y: number) => y > bottom && y < until && parts.reachTo(y);
  const inGrid = grid && { table: grid, names, others, prints: below, reachTo };
  const first = others.find(isNumeric);
  const all = [
    ...(first ? withoutCut(rows, first, names.flatMap(inColumn)) : rows),
    ...totals,
    ...(inGrid ? otherRows([...rows, ...totals], inGrid) : []),
  ].sort((a, b) => centerY(a.box) - centerY(b.box));
  const bounded = table?.bounded ?? isWhole(hullOf(all.map(({ box }) => box)));
  return listTable(all, { names, others, header: header.box, grid, bounded });
}

/** Of a package, which sheets with two lines a drug print over its code: 1정, 15g. */
const SIZE = /^\d[\d.,]*\s?\p{L}{1,3}$/u;

/** The table of a list, its prints below the header, and the list's columns. */
function columnsBelow(header: Header, printed: readonly Print[], until: number) {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = header;
  const whole = joinSplitNumbers(printed.filter(isWithin({ left: from, right: to })));
  const headRows = new Set(header.cells.flatMap(({ prints }) => prints.flatMap(({ cell }) => cell?.row ?? [])));
  const prints = header.table ? straightened(whole, header.table, headRows) : whole;
  const own = new Set(header.cells.flatMap((cell) => cell.prints));
  const all = prints.filter((print) => {
    const y = centerY(print.box);
    return !own.has(print) && y > header.box.y + 0.5 * header.box.height && y < until;
  });
  const table = header.table ?? tableBelow(header.box, all);
  const inTable = all.filter((print) => print.table === table);
  // The frame that was found may end below the header, where its rules could not be followed.
  const below = inTable.some(({ text }) => isQuantity(text)) ? inTable : all;
  return { table, below, columns: listColumns(header, prints, below) };
}

/** In heights of a header, and as part of its width. */
const BELOW = { gap: 3, width: 0.8 };

/** The table right below a header outside of every table: a line of dashes may separate them. */
function tableBelow(header: Box, prints: readonly Print[]): ReadTable | null {
  const isBelow = ({ box }: ReadTable) =>
    Math.abs(box.y - header.y - header.height) < BELOW.gap * header.height &&
    overlap(box.x, box.x + box.width, header.x, header.x + header.width) > BELOW.width * header.width;
  return prints.map(({ table }) => table).find((table) => table !== null && isBelow(table)) ?? null;
}

/** The rows with those numbers of the first column doubted that its border may have cut. */
function withoutCut(rows: readonly Row[], column: Column, names: readonly Print[]): readonly Row[] {
  const numbers = rows.flatMap(({ cells }) => {
    const number = cells.get(column);
    const isBefore = ({ box }: Print) => number && box.x < number.box.x && isLevel(box, number.box);
    const level = names.filter(isBefore);
    const ends = level.map(({ box }) => box.x + box.width);
    return number && level.length > 0 ? [{ number, before: level[ends.indexOf(Math.max(...ends))]! }] : [];
  });
  const cut = cutNumbers(numbers);
  if (cut.size === 0) return rows;
  return rows.map((row) => {
    const number = row.cells.get(column);
    return number && cut.has(number) ? { ...row, cells: new Map([...row.cells, [column, doubtedPrint(number)]]) } : row;
  });
}

/** The lines of a list's parts, and whether a place on the page is in one of them. */
interface Parts {
  readonly lines: readonly Line[];
  readonly reachTo: (y: number) => boolean;
}

/**
 * The parts of a list, up to the end of each.
 * @param across the lines with the text in other columns: the phrase that ends a part may reach over a border.
 */
function partsOf(lines: readonly Line[], across: readonly Line[]): Parts {
  const ends = across.filter(({ text }) => isPartEnd(text));
  const endsPart = ({ text, box }: Line) =>
    isPartEnd(text) || (isPieceOfPartEnd(text) && ends.some((end) => isLevel(end.box, box)));
  const titles = across.filter(({ text }) => isNextPart(text) && !/\d/.test(text));
  // A title centred over all columns is in none of the names'.
  const centred = titles.filter(({ box }) => !lines.some((line) => isLevel(line.box, box)));
  const listed: Line[] = [];
  const turns = [{ y: Number.NEGATIVE_INFINITY, isOpen: true }];
  for (const line of [...lines, ...centred].sort((a, b) => centerY(a.box) - centerY(b.box))) {
    const { isOpen } = turns.at(-1)!;
    if (isListEnd(line.text) || (isOpen && endsPart(line))) turns.push({ y: line.box.y, isOpen: false });
    if (isListEnd(line.text)) break;
    const isTitle = isNextPart(line.text) || titles.some(({ box }) => isLevel(box, line.box));
    if (!isOpen && isTitle) turns.push({ y: line.box.y, isOpen: true });
    // A total below the last name is not a second line of it.
    if (turns.at(-1)!.isOpen && !isTitle && labelledTotal(line.text) === null) listed.push(line);
  }
  return { lines: listed, reachTo: (y) => turns.findLast((turn) => turn.y <= y)!.isOpen };
}
