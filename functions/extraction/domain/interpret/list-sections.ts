import { joinReadings } from '../reading/reading-parts.ts';
import type { Box, ReadCell, Reading, ReadTable } from '../reading/table-reader.ts';
import { splitCodeAndName } from './code-and-name.ts';
import type { Header, HeaderCell } from './find-headers.ts';
import { centerX, centerY, hullOf, joinPrint, medianOf, overlap, type Print } from './print.ts';
import { joinSplitNumbers } from './split-numbers.ts';

/** Below this nothing follows but a part of the list with a title of its own. */
const PART_END = /이하여백/;
const NEXT_PART = /주사제?처방|원내조제|원외처방/;
/** Below these the list is over; the words may be set wide. */
const LIST_END = /사용기간|조제내역|조제시참고|참고사항|점검결과|중복처방|사유코드|DUR_/i;
/** Names of a list's parts: the rows below them go on in the same columns. */
const SECTION_NAME = /주사제?처방|내복|외용|원내조제|원외처방/;
/** A number, perhaps with its unit. */
const NUMBER = /^\d[\d.,]*\s?\p{L}{0,3}$/u;
/** In heights of a line: how far off the row's middle a number may be printed, where rows do not stand closer. */
const SHIFT = 1;
/** Part of the distance of two rows. */
const NEAR_ROW = 0.6;
/** Part of a column's width that a wrapped line fills. */
const FULL_LINE = 0.8;

interface Column {
  readonly header: HeaderCell;
  /** Whether a cell of the form holds the header alone: then its sides are the column's. */
  readonly ruled: boolean;
  readonly left: number;
  readonly right: number;
}

/** Prints side by side. */
interface Line extends Print {
  /** Where the name stands: the widest of them. */
  readonly name: Box;
}

interface Row {
  readonly code: Reading | null;
  readonly name: Reading | null;
  /** Lines that the name stands on. */
  readonly lines: readonly Line[];
  readonly box: Box;
  readonly cells: ReadonlyMap<Column, Print>;
}

/**
 * The list below a header as a table of its own: columns by the header's words and the cells that these stand in, rows by
 * the height of what stands in them, whatever the form's rules say. Codes and names of one cell become two columns.
 * @param until where the next header of the same columns begins.
 */
export function listBelow(header: Header, printed: readonly Print[], until: number): ReadTable | null {
  const { table } = header;
  const prints = joinSplitNumbers(printed);
  const own = new Set(header.cells.flatMap((cell) => cell.prints));
  const all = prints.filter((print) => {
    const y = centerY(print.box);
    return !own.has(print) && y > header.box.y + 0.5 * header.box.height && y < until;
  });
  const inTable = all.filter((print) => print.table === table);
  // The frame that was found may end below the header, where its rules could not be followed.
  const below = inTable.some(({ text }) => NUMBER.test(text)) ? inTable : all;
  const announced = columnsOf(header, prints);
  const columns = withNumbersBeside(fitToNumbers(announced, below), below);
  const named = columns.filter(({ header: { match } }) => match?.kind === 'drugCode' || match?.kind === 'drugName');
  const first = columns.find(({ header: { match } }) => match && match.kind !== 'other' && !isName(match.kind));
  // Without a word for names they stand left of the first number.
  const nameColumns =
    named.length > 0 ? withStrays(named, columns) : columns.slice(0, Math.max(0, columns.indexOf(first!)));
  if (nameColumns.length === 0) return null;
  const others = columns.filter((column) => !nameColumns.includes(column));
  const inColumn = (column: Column) =>
    below.filter(({ box }) => centerX(box) >= column.left && centerX(box) < column.right);
  const lines = linesOf(nameColumns.flatMap(inColumn));
  const rows = toRows(
    withoutEmptyParts(lines),
    new Map(others.map((column) => [column, inColumn(column)])),
    nameColumns,
  );
  if (rows.length === 0) return null;
  return toTable(rows, nameColumns, others, header, table?.bounded ?? false);
}

/** The lines of the list's parts, up to where each of them ends. */
function withoutEmptyParts(lines: readonly Line[]): readonly Line[] {
  const listed: Line[] = [];
  let isOpen = true;
  for (const line of lines) {
    const text = line.text.replace(/[\s.]/g, '');
    if (LIST_END.test(text)) break;
    if (PART_END.test(text)) isOpen = false;
    else if (NEXT_PART.test(text)) isOpen = true;
    if (isOpen) listed.push(line);
  }
  return listed;
}

/** A lone letter or mark beside the header of the names is no column of its own. */
function withStrays(named: readonly Column[], columns: readonly Column[]): readonly Column[] {
  const next = columns[columns.indexOf(named.at(-1)!) + 1];
  const isStray = next && !next.ruled && next.header.match === null && next.header.text.length === 1;
  return isStray ? [...named, next] : named;
}

function isName(kind: string): boolean {
  return kind === 'drugCode' || kind === 'drugName';
}

/** A column reaches as far as the cell that holds its header alone, else to the middle between two headers. */
function columnsOf({ cells }: Header, prints: readonly Print[]): readonly Column[] {
  const ruled = (cell: HeaderCell): Box | null => {
    const own = cell.prints[0]?.cell;
    if (!own || cell.prints.some((print) => print.cell !== own)) return null;
    const alone = prints.every((print) => print.cell !== own || cell.prints.includes(print));
    return alone ? own.box : null;
  };
  const boxes = cells.map(ruled);
  return cells.map((header, index) => {
    const [before, own, after] = [boxes[index - 1], boxes[index], boxes[index + 1]];
    const [previous, next] = [cells[index - 1], cells[index + 1]];
    const left =
      own?.x ?? (before ? before.x + before.width : previous ? between(previous, header) : Number.NEGATIVE_INFINITY);
    const right = own ? own.x + own.width : (after?.x ?? (next ? between(header, next) : Number.POSITIVE_INFINITY));
    return { header, ruled: own !== null, left, right };
  });
}

/**
 * Forms are printed over, and the print may lie beside the column that it means: numbers that stand below each other in as
 * many stacks as there are columns for them belong to these in order.
 */
function fitToNumbers(columns: readonly Column[], below: readonly Print[]): readonly Column[] {
  const isNumeric = ({ header: { match } }: Column) => match !== null && match.kind !== 'other' && !isName(match.kind);
  const first = columns.findIndex(isNumeric);
  const last = columns.findLastIndex(isNumeric);
  const group = columns.slice(first, last + 1);
  if (first < 0 || group.length < 2 || !group.every(isNumeric)) return columns;
  const width = medianOf(group.map(({ header }) => header.box.width));
  // Headers that say nothing, between the names and the numbers, may be pieces of the first number's.
  const before = columns.slice(0, first).findLastIndex(({ header, ruled }) => header.match !== null || ruled);
  const hasPieces = before < first - 1;
  if (!hasPieces && group.every(({ ruled }) => ruled)) return columns;
  const start = columns[before]?.right ?? Number.NEGATIVE_INFINITY;
  const left = hasPieces ? start : group[0]!.header.box.x - width / 2;
  const right = group.at(-1)!.right + width / 2;
  const numbers = below.filter(
    ({ box, text }) => /^\d[\d.,]*$/.test(text) && box.x > left && box.x + box.width < right,
  );
  const stacks: { left: number; right: number; size: number }[] = [];
  for (const { box } of [...numbers].sort((a, b) => a.box.x - b.box.x)) {
    const stack = stacks.at(-1);
    if (stack && box.x <= stack.right) {
      stack.right = Math.max(stack.right, box.x + box.width);
      stack.size++;
    } else stacks.push({ left: box.x, right: box.x + box.width, size: 1 });
  }
  const most = Math.max(...stacks.map(({ size }) => size));
  const full = stacks.filter(({ size }) => size > most / 2);
  if (full.length !== group.length) return columns;
  const isInside = ({ ruled, left, right }: Column, index: number) => {
    const middle = (full[index]!.left + full[index]!.right) / 2;
    return !ruled || (middle >= left && middle <= right);
  };
  if (!group.every((column, index) => (index === 0 && hasPieces) || isInside(column, index))) return columns;
  const borders = full.slice(1).map((stack, index) => (full[index]!.right + stack.left) / 2);
  const fitted = group.map((column, index) => ({
    ...column,
    left: borders[index - 1] ?? Math.min(column.left, full[0]!.left),
    right: borders[index] ?? Math.max(column.right, full.at(-1)!.right),
  }));
  return [...columns.slice(0, before + 1), ...fitted, ...columns.slice(last + 1)];
}

/** In heights of a line: how far beside its column a number may be printed, and how far behind the name it then stands. */
const BESIDE = { column: 3, name: 0.8 };
const MIN_BESIDE_SHARE = 1 / 3;

/**
 * Where print is shifted to the left, the numbers of the first column stand at the end of the names' own, alone behind a
 * wide blank: where many lines end so, the column begins before these numbers.
 */
function withNumbersBeside(columns: readonly Column[], below: readonly Print[]): readonly Column[] {
  const index = columns.findIndex(
    ({ header: { match } }, n) => n > 0 && match !== null && match.kind !== 'other' && !isName(match.kind),
  );
  const [names, first] = [columns[index - 1], columns[index]];
  if (!names || !first || (names.header.match !== null && !isName(names.header.match.kind))) return columns;
  const inNames = below.filter(({ box }) => centerX(box) >= names.left && centerX(box) < names.right);
  const others = (print: Print) => inNames.filter((other) => other !== print && isLevel(other.box, print.box));
  const isBeside = (print: Print) => {
    const { x, width, height } = print.box;
    const left = others(print);
    return (
      /^\d[\d.,]*$/.test(print.text) &&
      first.left - x - width < BESIDE.column * height &&
      left.length > 0 &&
      left.every(({ box }) => x - box.x - box.width > BESIDE.name * height)
    );
  };
  const beside = inNames.filter(isBeside);
  const lines = inNames.filter((print) => splitCodeAndName(print) !== null).length;
  if (beside.length < Math.max(2, MIN_BESIDE_SHARE * lines)) return columns;
  const border = Math.min(...beside.map(({ box }) => box.x));
  return columns.map((column) =>
    column === names ? { ...column, right: border } : column === first ? { ...column, left: border } : column,
  );
}

function between(a: HeaderCell, b: HeaderCell): number {
  return (a.box.x + a.box.width + b.box.x) / 2;
}

/** Prints that stand side by side, joined from left to right; top to bottom. */
function linesOf(prints: readonly Print[]): readonly Line[] {
  const lines: Print[][] = [];
  for (const print of [...prints].sort((a, b) => a.box.x - b.box.x)) {
    const line = lines.find(([first]) => isLevel(first!.box, print.box));
    if (line) line.push(print);
    else lines.push([print]);
  }
  return lines.map(joinLine).sort((a, b) => centerY(a.box) - centerY(b.box));
}

/** All parts of one line are what was read of the line at once: letters are read better among others. */
function joinLine(prints: readonly Print[]): Line {
  const [first] = prints;
  const line = first!.line;
  const name = prints.reduce((widest, { box }) => (box.width > widest.width ? box : widest), first!.box);
  if (line && prints.length === line.parts && prints.every((print) => print.line?.whole === line.whole))
    return { ...first!, ...line.whole, name };
  let joined = first!;
  for (const print of prints.slice(1)) joined = { ...joined, ...joinPrint(joined, print, ' ') };
  return { ...joined, name };
}

function isLevel(a: Box, b: Box): boolean {
  return overlap(a.y, a.y + a.height, b.y, b.y + b.height) > 0.5 * Math.min(a.height, b.height);
}

function toRows(
  lines: readonly Line[],
  byColumn: ReadonlyMap<Column, readonly Print[]>,
  nameColumns: readonly Column[],
): readonly Row[] {
  const coded = lines.filter((line) => splitCodeAndName(line));
  const height = medianOf(lines.map(({ box }) => box.height));
  const numbers = [...byColumn.values()].flat().filter(({ text }) => /\d/.test(text));
  // Without any code, a name with numbers beside it begins a row.
  const beside = (line: Print) =>
    numbers.filter(({ box }) => Math.abs(centerY(box) - centerY(line.box)) < 0.6 * height);
  const isAnchor = (line: Print) =>
    splitCodeAndName(line) !== null || (/\p{L}{2}/u.test(line.text) && beside(line).length >= 2);
  const anchors = lines.filter(isAnchor);
  if (anchors.length === 0) return [];
  const pitch = pitchOf(coded.length > 1 ? coded : anchors) ?? 3 * height;
  const reach = Math.max(NEAR_ROW * pitch, Math.min(SHIFT * height, 0.9 * pitch));
  const cells = anchors.map(() => new Map<Column, Print>());
  const lineByColumn = new Map([...byColumn].map(([column, prints]) => [column, linesOf(prints)] as const));
  for (const [column, columnLines] of lineByColumn) {
    const shift = shiftOf(columnLines, anchors, pitch);
    const off = (print: Print, anchor: Print) => Math.abs(centerY(print.box) - shift - centerY(anchor.box));
    // A number is meant before a mark, and what stands level before what stands near.
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
  byColumn: ReadonlyMap<Column, readonly Print[]>,
  placed: ReadonlySet<Print>,
  rows: readonly Row[],
): readonly Row[] {
  const [top, bottom] = [rows[0]!.box.y, rows.at(-1)!.box.y];
  const left = [...byColumn].flatMap(([column, prints]) =>
    prints
      .filter((print) => !placed.has(print) && print.numeral && print.box.y > top && print.box.y < bottom)
      .map((print) => ({ column, print })),
  );
  const groups: { column: Column; print: Print }[][] = [];
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

/** How much lower a column is printed than its rows, where it has as many lines as there are rows. */
function shiftOf(lines: readonly Print[], anchors: readonly Print[], pitch: number): number {
  if (lines.length !== anchors.length) return 0;
  const shift = medianOf(lines.map(({ box }, index) => centerY(box) - centerY(anchors[index]!.box)));
  return Math.abs(shift) < 0.9 * pitch ? shift : 0;
}

function nameWidth(columns: readonly Column[], lines: readonly Print[]): { left: number; right: number } {
  const ink = hullOf(lines.map(({ box }) => box));
  const [left, right] = [columns[0]!.left, columns.at(-1)!.right];
  return { left: Math.max(left, ink.x), right: Math.min(right, ink.x + ink.width) };
}

/** Lines below a row's first that go on with its name: the line before is full, or a bracket is open. */
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
    // A code may stand above its name.
    const isBareCode = last === anchor && splitCodeAndName(anchor)?.name.text === '';
    // The line of another column is none of the name's.
    const isIndented = line.box.x > anchor.name.x - height;
    const goesOn = /^[(_/]/.test(line.text) || isFull || isBareCode;
    if (
      anchors.has(line) ||
      gap > 0.8 * height ||
      !goesOn ||
      !isIndented ||
      !isText(line) ||
      SECTION_NAME.test(line.text.replace(/\s/g, ''))
    )
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
  const body = rows.flatMap(({ code, name, lines, box, cells }, index) => [
    at(index + 1, 0, box, code ?? blank, code),
    { ...at(index + 1, 1, upToEnd(box), name ?? blank, null), lines },
    ...others.map((column, n) => {
      const print = cells.get(column);
      return at(index + 1, n + 2, print?.box ?? box, print ?? blank, print?.numeral ?? null);
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
