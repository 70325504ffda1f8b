import { medianOf } from '../../median.ts';
import { joinReadings } from '../../reading/reading-parts.ts';
import type { Box, ReadCell, Reading, ReadTable } from '../../reading/table-reader.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { withCodesBelow } from '../codes/codes-below-names.ts';
import type { Header } from '../headers/find-headers.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { cutNumbers, doubtedPrint, joinSplitNumbers } from '../numbers/split-numbers.ts';
import { centerY, hullOf, isLevel, overlap, type Print } from '../print.ts';
import { type Column, isNumeric, isWithin, listColumns, partAtBorder } from './list-columns.ts';
import { type Line, linesOf } from './list-lines.ts';
import { isListEnd, isNextPart, isPartEnd, isPieceOfPartEnd, isSectionName } from './list-marks.ts';
import { withoutListNumbers } from './list-numbers.ts';
import { isRemarkLine } from './remark-lines.ts';
import { labelledTotal } from './row-kinds.ts';
import { joinRuledRows } from './ruled-rows.ts';

/** A number, perhaps with its unit. */
const NUMBER = /^\d[\d.,]*\s?\p{L}{0,3}$/u;
/** In line heights: maximum vertical offset of a number from its row, if rows are not closer. */
const SHIFT = 1;
/** Part of the distance of two rows. */
const NEAR_ROW = 0.6;
/** Part of a column's width that a wrapped line fills. */
const FULL_LINE = 0.8;

interface Row {
  readonly code: Reading | null;
  readonly name: Reading | null;
  /** Lines that contain the name. */
  readonly lines: readonly Line[];
  readonly box: Box;
  readonly cells: ReadonlyMap<Column, Line>;
}

/**
 * The list below a header as a separate table: columns by the header's words and their cells, rows by the height of their print,
 * regardless of the form's rules. Codes and names of one cell become two columns.
 * @param until start of the next header of the same columns.
 */
export function listBelow(header: Header, printed: readonly Print[], until: number): ReadTable | null {
  const { table, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = header;
  const prints = joinSplitNumbers(printed.filter(isWithin({ left: from, right: to })));
  const own = new Set(header.cells.flatMap((cell) => cell.prints));
  const all = prints.filter((print) => {
    const y = centerY(print.box);
    return !own.has(print) && y > header.box.y + 0.5 * header.box.height && y < until;
  });
  const body = table ?? tableBelow(header.box, all);
  const inTable = all.filter((print) => print.table === body);
  // The frame that was found may end below the header, where its rules could not be followed.
  const printedBelow = inTable.some(({ text }) => NUMBER.test(text)) ? inTable : all;
  const columns = listColumns(header, prints, printedBelow);
  const below = printedBelow.flatMap((print) => partAtBorder(print, columns));
  const inColumn = (column: Column) => below.filter(isWithin(column));
  // A word for codes also heads who pays: such a column holds none.
  const isOfNames = (column: Column) => {
    const { match } = column.header;
    if (match?.kind !== 'drugCode') return match?.kind === 'drugName';
    return isHeadedBeside(column, columns) || inColumn(column).some((print) => splitCodeAndName(print) !== null);
  };
  const named = columns.filter(isOfNames);
  const first = columns.find(isNumeric);
  // Without a word for names, they lie left of the first number.
  const nameColumns =
    named.length > 0
      ? withFirstPart(withStrays(named, columns), columns, inColumn)
      : columns.slice(0, Math.max(0, columns.indexOf(first!)));
  if (nameColumns.length === 0) return null;
  const others = columns.filter((column) => !nameColumns.includes(column));
  // Where paper bends, the words of a header are found in two cells, and columns overlap.
  const lines = linesOf([...new Set(nameColumns.flatMap(inColumn))]);
  const across = linesOf(below);
  const byColumn = new Map(others.map((column) => [column, inColumn(column)]));
  const beside = [...byColumn.values()];
  const listed = withoutEmptyParts(lines, across).filter(({ text }) => !isRemarkLine(text));
  const rows = toRows(withCodesBelow(joinRuledRows(listed, beside), beside.flat()), byColumn, nameColumns);
  if (rows.length === 0) return null;
  const sure = first && others.includes(first) ? withoutCut(rows, first, nameColumns.flatMap(inColumn)) : rows;
  const totals = totalRows(across, byColumn).filter(({ box }) => box.y > rows[0]!.box.y);
  return toTable([...sure, ...totals], nameColumns, others, header, table?.bounded ?? false);
}

/** Rows of totals, by their labels, with the numbers level with each. */
function totalRows(lines: readonly Line[], byColumn: ReadonlyMap<Column, readonly Print[]>): readonly Row[] {
  return lines.flatMap((line) => {
    if (labelledTotal(line.text) === null) return [];
    const numbers = [...byColumn].flatMap(([column, prints]) => {
      const own = prints.filter((print) => isLevel(print.box, line.box) && /\d/.test(print.text));
      return own.length > 0 ? [[column, linesOf(own)[0]!] as const] : [];
    });
    const label = line.parts.find(({ text }) => labelledTotal(text) !== null) ?? line;
    return [{ code: null, name: label, lines: [], box: line.box, cells: new Map(numbers) }];
  });
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

/**
 * The lines of the list's parts, up to the end of each.
 * @param across the same with the text in other columns: the phrase that ends a part may reach over a border.
 */
function withoutEmptyParts(lines: readonly Line[], across: readonly Line[]): readonly Line[] {
  const ends = across.filter(({ text }) => isPartEnd(text));
  const endsPart = ({ text, box }: Line) =>
    isPartEnd(text) || (isPieceOfPartEnd(text) && ends.some((end) => isLevel(end.box, box)));
  const listed: Line[] = [];
  let isOpen = true;
  for (const line of lines) {
    if (isListEnd(line.text)) break;
    if (endsPart(line)) isOpen = false;
    else if (isNextPart(line.text)) isOpen = true;
    // A total below the last name is no second line of it.
    if (isOpen && labelledTotal(line.text) === null) listed.push(line);
  }
  return listed;
}

/** Whether the column of the names is the next, or the next but one of which one letter heads. */
function isHeadedBeside(column: Column, columns: readonly Column[]): boolean {
  const at = columns.indexOf(column);
  const names = columns.findIndex(({ header: { match } }) => match?.kind === 'drugName');
  return names < 0 || Math.abs(at - names) === 1 || (Math.abs(at - names) === 2 && isStray(columns[(at + names) / 2]!));
}

function isStray({ ruled, header: { match, text } }: Column): boolean {
  return !ruled && match === null && text.length === 1;
}

/** A lone letter or mark next to the header of the names is not a column, nor is a word between two of theirs: 명칭 및 코드. */
function withStrays(named: readonly Column[], columns: readonly Column[]): readonly Column[] {
  const isNamed = (index: number) => named.includes(columns[index]!);
  const last = columns.indexOf(named.at(-1)!);
  return columns.filter((column, index) => {
    if (isNamed(index)) return true;
    return isStray(column) && isNamed(index - 1) && (index === last + 1 || isNamed(index + 1));
  });
}

/**
 * If a rule of another form cuts the header of the names, codes with their names lie below its first part. Short names and codes begin
 * under the previous header, if no rule separates the two and the names' own is in the middle of a wide column.
 */
function withFirstPart(
  named: readonly Column[],
  columns: readonly Column[],
  inColumn: (column: Column) => readonly Print[],
): readonly Column[] {
  const before = columns[columns.indexOf(named[0]!) - 1];
  if (!before || isNumeric(before)) return named;
  const prints = inColumn(before);
  const holdsNames = prints.some((print) => (splitCodeAndName(print)?.name.text ?? '') !== '');
  const holdsShort = prints.some((print) => splitCodeAndName(print) !== null || looksLikeDrugName(print.text));
  return holdsNames || (holdsShort && !before.ruled && before.header.match !== null) ? [before, ...named] : named;
}

function toRows(
  lines: readonly Line[],
  byColumn: ReadonlyMap<Column, readonly Print[]>,
  nameColumns: readonly Column[],
): readonly Row[] {
  const coded = lines.filter((line) => splitCodeAndName(line));
  const height = medianOf(lines.map(({ box }) => box.height));
  const numbers = [...byColumn.values()].flat().filter(({ text }) => /\d/.test(text));
  // Without any code, a name with numbers next to it begins a row.
  const beside = (line: Print) =>
    numbers.filter(({ box }) => Math.abs(centerY(box) - centerY(line.box)) < 0.6 * height);
  const isAnchor = (line: Print) =>
    splitCodeAndName(line) !== null || (/\p{L}{2}/u.test(line.text) && beside(line).length >= 2);
  const anchors = lines.filter(isAnchor);
  if (anchors.length === 0) return [];
  const pitch = pitchOf(coded.length > 1 ? coded : anchors) ?? 3 * height;
  const reach = Math.max(NEAR_ROW * pitch, Math.min(SHIFT * height, 0.9 * pitch));
  const cells = anchors.map(() => new Map<Column, Line>());
  const lineByColumn = new Map([...byColumn].map(([column, prints]) => [column, linesOf(prints)] as const));
  const shifts = shiftsOf(lineByColumn, anchors, pitch);
  for (const [column, columnLines] of lineByColumn) {
    const shift = shifts.get(column) ?? 0;
    const off = (print: Print, anchor: Print) => Math.abs(centerY(print.box) - shift - centerY(anchor.box));
    // Prefer numbers to marks, then the closest baseline.
    const ranked = columnLines
      .map((print) => {
        const anchor = anchors.reduce((a, b) => (off(print, b) < off(print, a) ? b : a));
        return { print, row: anchors.indexOf(anchor), off: off(print, anchor), isNumber: NUMBER.test(print.text) };
      })
      .sort((a, b) => Number(b.isNumber) - Number(a.isNumber) || a.off - b.off);
    for (const { print, row, off: distance } of ranked)
      if (distance <= reach && !cells[row]!.has(column)) cells[row]!.set(column, print);
  }
  const width = nameWidth(nameColumns, lines);
  const named = anchors.map((anchor, index): Row => {
    const wrapped = wrappedLines(anchor, lines, new Set(anchors), width, height);
    const parts = splitCodeAndName(anchor);
    const name = joinReadings([parts ? parts.name : anchor, ...wrapped]);
    return {
      code: parts?.code ?? null,
      name: name.text === '' ? null : name,
      lines: [anchor, ...wrapped],
      box: hullOf([anchor, ...wrapped].map((print) => print.box)),
      cells: cells[index]!,
    };
  });
  const placed = new Set(cells.flatMap((each) => [...each.values()]));
  return [...withoutRepeats(named), ...namelessRows(lineByColumn, placed, named)].sort(
    (a, b) => centerY(a.box) - centerY(b.box),
  );
}

/** Without the rows that only name a code again, as remarks on an interaction or on a repeated drug do. */
function withoutRepeats(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(({ code, cells }) => {
    const isRepeat =
      code !== null && seen.has(code.text) && [...cells.values()].every(({ text }) => !NUMBER.test(text));
    if (code) seen.add(code.text);
    return !isRepeat;
  });
}

/** Numbers side by side between the rows, whose code and name cannot be read. */
function namelessRows(
  byColumn: ReadonlyMap<Column, readonly Line[]>,
  placed: ReadonlySet<Line>,
  rows: readonly Row[],
): readonly Row[] {
  const [top, bottom] = [rows[0]!.box.y, rows.at(-1)!.box.y];
  const left = [...byColumn].flatMap(([column, prints]) =>
    prints
      .filter((print) => !placed.has(print) && print.numeral && print.box.y > top && print.box.y < bottom)
      .map((print) => ({ column, print })),
  );
  const groups: { column: Column; print: Line }[][] = [];
  for (const entry of left) {
    const group = groups.find((each) => isLevel(each[0]!.print.box, entry.print.box));
    if (group) group.push(entry);
    else groups.push([entry]);
  }
  return groups
    .filter((group) => group.length >= 2)
    .map((group) => ({
      code: null,
      name: null,
      lines: [],
      box: hullOf(group.map(({ print }) => print.box)),
      cells: new Map(group.map(({ column, print }) => [column, print])),
    }));
}

/** Distance of two rows. */
function pitchOf(anchors: readonly Print[]): number | null {
  const steps = anchors.slice(1).map(({ box }, index) => centerY(box) - centerY(anchors[index]!.box));
  return steps.length === 0 ? null : Math.min(...steps.filter((step) => step > 0), Number.POSITIVE_INFINITY);
}

/** Part of the distance of two rows by which columns that are printed at once are shifted alike. */
const ALIKE = 0.5;

/**
 * How much lower columns are printed than their rows, where they have as many lines as there are rows. One that is shifted by a row more than
 * another has lost a line and shows a stroke instead: it is shifted as that one is.
 */
function shiftsOf(
  byColumn: ReadonlyMap<Column, readonly Print[]>,
  anchors: readonly Print[],
  pitch: number,
): ReadonlyMap<Column, number> {
  const shifts = [...byColumn].flatMap(([column, lines]) => {
    const shift = lines.length === anchors.length ? shiftOf(lines, anchors) : Number.POSITIVE_INFINITY;
    return Math.abs(shift) < 0.9 * pitch ? [[column, shift] as const] : [];
  });
  const least = shifts.reduce((a, [, b]) => (Math.abs(b) < Math.abs(a) ? b : a), Number.POSITIVE_INFINITY);
  return new Map(shifts.map(([column, shift]) => [column, Math.abs(shift - least) < ALIKE * pitch ? shift : least]));
}

function shiftOf(lines: readonly Print[], anchors: readonly Print[]): number {
  return medianOf(lines.map(({ box }, index) => centerY(box) - centerY(anchors[index]!.box)));
}

function nameWidth(columns: readonly Column[], lines: readonly Print[]): { left: number; right: number } {
  const ink = hullOf(lines.map(({ box }) => box));
  const [left, right] = [columns[0]!.left, columns.at(-1)!.right];
  return { left: Math.max(left, ink.x), right: Math.min(right, ink.x + ink.width) };
}

/** Lines below a row's first that continue its name: the line before is full, or a bracket is open. */
function wrappedLines(
  anchor: Line,
  lines: readonly Line[],
  anchors: ReadonlySet<Line>,
  column: { readonly left: number; readonly right: number },
  height: number,
): readonly Line[] {
  const wrapped: Line[] = [];
  let last = anchor;
  for (const line of lines.slice(lines.indexOf(anchor) + 1)) {
    const gap = line.box.y - last.box.y - last.box.height;
    const isFull = last.box.x + last.box.width > column.left + FULL_LINE * (column.right - column.left);
    // A code may be above its name.
    const isBareCode = last === anchor && splitCodeAndName(anchor)?.name.text === '';
    // The line of another column is none of the name's.
    const isIndented = line.box.x > anchor.name.x - height;
    const goesOn = /^[(_/]/.test(line.text) || isFull || isBareCode;
    if (anchors.has(line) || gap > 0.8 * height || !goesOn || !isIndented || !isText(line) || isSectionName(line.text))
      break;
    wrapped.push(line);
    last = line;
  }
  return wrapped;
}

/** Letters for the most part: no dashes, no smear. */
function isText({ text }: Print): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) > text.replace(/\s/g, '').length / 3;
}

function toTable(
  rows: readonly Row[],
  nameColumns: readonly Column[],
  others: readonly Column[],
  header: Header,
  bounded: boolean,
): ReadTable {
  const at = (row: number, column: number, box: Box, text: Reading, numeral: Reading | null): ReadCell => {
    return { row, column, rowSpan: 1, columnSpan: 1, box, blank: text.text === '', text, numeral };
  };
  const blank = { text: '', confidence: 1 };
  const nameHeader = nameColumns.find(({ header: { match } }) => match?.kind === 'drugName')?.header;
  const headerCells = [
    at(0, 0, header.box, blank, null),
    at(0, 1, nameHeader?.box ?? header.box, { text: nameHeader?.text ?? '', confidence: 1 }, null),
    ...others.map((column, index) =>
      at(0, index + 2, column.header.box, { text: column.header.text, confidence: 1 }, null),
    ),
  ];
  const end = nameColumns.at(-1)!.right;
  const upToEnd = (box: Box) => (Number.isFinite(end) ? { ...box, width: Math.max(box.width, end - box.x) } : box);
  const names = withoutListNumbers(rows.map(({ name }) => name));
  const body = rows.flatMap(({ code, lines, box, cells }, index) => [
    at(index + 1, 0, box, code ?? blank, code),
    { ...at(index + 1, 1, upToEnd(box), names[index] ?? blank, null), lines },
    ...others.map((column, n) => {
      const print = cells.get(column);
      const cell = at(index + 1, n + 2, print?.box ?? box, print ?? blank, print?.numeral ?? null);
      // Two numbers in it may belong to two columns under one header.
      const apart = print && print.parts.length > 1 && { lines: [{ ...print, pieces: print.parts }] };
      return { ...cell, ...apart, ...(print?.crossed && { crossed: true }) };
    }),
  ]);
  return {
    box: hullOf([header.box, ...rows.map((row) => row.box)]),
    rowCount: rows.length + 1,
    columnCount: others.length + 2,
    cells: [...headerCells, ...body],
    bounded,
  };
}
