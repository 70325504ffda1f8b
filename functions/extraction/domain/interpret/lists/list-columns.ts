import { medianOf } from '../../median.ts';
import type { Box } from '../../reading/table-reader.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { NAME_KINDS, NUMERIC_KINDS } from '../headers/column-kinds.ts';
import type { Header, HeaderCell } from '../headers/find-headers.ts';
import { doubtedPrint, isQuantity, isTightNumber } from '../numbers/split-numbers.ts';
import { centerX, groupByLevel, isLevel, type Print, partOfPrint } from '../print.ts';

export interface Column {
  readonly header: HeaderCell;
  /** Whether a cell of the form holds the header alone: then its sides are the column's. */
  readonly ruled: boolean;
  readonly left: number;
  readonly right: number;
}

/** The columns of a list, left to right: by its header, with the borders where its print parts; stacks of numbers without a header are columns too. */
export function listColumns(header: Header, prints: readonly Print[], below: readonly Print[]): readonly Column[] {
  const headed = withUnheaded(withMarks(withGutters(columnsOf(header, prints), below), below), below);
  return splitByStacks(withNumbersBeside(headed, below), below);
}

export function isNumeric({ header: { match } }: Column): boolean {
  return match !== null && NUMERIC_KINDS.has(match.kind);
}

/** A column reaches as far as the cell that holds its header alone, else to the middle between two headers. */
function columnsOf({ cells }: Header, prints: readonly Print[]): readonly Column[] {
  const ruled = (cell: HeaderCell): Box | null => {
    if (cell.isColumn) return cell.box;
    const own = cell.prints[0]?.cell;
    if (!own || cell.prints.some((print) => print.cell !== own)) return null;
    const alone = prints.every((print) => print.cell !== own || cell.prints.includes(print));
    return alone ? own.box : null;
  };
  // A speck in a cell that reaches over other headers, as the title's or a note's above them does, heads no column.
  const isAcross = (cell: HeaderCell) => {
    const own = cell.match === null ? ruled(cell) : null;
    const isWithin = ({ box }: HeaderCell) => own && centerX(box) > own.x && centerX(box) < own.x + own.width;
    return cells.some((other) => other.match !== null && isWithin(other));
  };
  const heads = cells.filter((cell) => !isAcross(cell));
  const boxes = heads.map(ruled);
  return heads.map((header, index) => {
    const [before, own, after] = [boxes[index - 1], boxes[index], boxes[index + 1]];
    const [previous, next] = [heads[index - 1], heads[index + 1]];
    const left =
      own?.x ?? (before ? before.x + before.width : previous ? between(previous, header) : Number.NEGATIVE_INFINITY);
    const right = own ? own.x + own.width : (after?.x ?? (next ? between(header, next) : Number.POSITIVE_INFINITY));
    return { header, ruled: own !== null, left, right };
  });
}

/** Lines with fewer prints, as remarks, are not rows. */
const MIN_IN_ROW = 3;
/** In line heights: how far below the numbers of the last row its name may reach. */
const LAST_ROW = 2;

/** The columns with the borders between them, where no rule shows these, where the fewest prints lie: names reach far behind their header. */
function withGutters(columns: readonly Column[], below: readonly Print[]): readonly Column[] {
  const rows = groupByLevel(below).filter(
    (row) => row.length >= MIN_IN_ROW && row.some(({ text }) => isQuantity(text)),
  );
  const end = Math.max(...rows.map(([first]) => first!.box.y + LAST_ROW * first!.box.height));
  const boxes = below.map(({ box }) => box).filter(({ y }) => y < end);
  const levels = rows.map((row) => row.map(({ box }) => box));
  const borders: (number | null)[] = [];
  for (const [index, next] of columns.slice(1).entries()) {
    const column = columns[index]!;
    // Stacks of numbers without a read header are columns by themselves.
    const isHeaded = column.header.text !== '' && next.header.text !== '';
    const isOpen = !column.ruled && !next.ruled && isHeaded && levels.length > 0;
    const [previous, after] = [columns[index - 1]?.header.box, columns[index + 2]?.header.box];
    const within = {
      left: borders[index - 1] ?? (previous ? previous.x + previous.width : Number.NEGATIVE_INFINITY),
      right: after?.x ?? Number.POSITIVE_INFINITY,
    };
    borders.push(isOpen ? gutterOf(boxes, levels, [column.header.box, next.header.box], within) : null);
  }
  return columns.map((column, index) => ({
    ...column,
    left: borders[index - 1] ?? column.left,
    right: borders[index] ?? column.right,
  }));
}

/**
 * The middle of the stretch between two headers that separates the print of the most rows and of the fewest places; of several one with print on both
 * sides, the nearest to both headers.
 * @param within from the border before, or else the header there, to the header behind: names start left of theirs, and numbers end right of it.
 */
function gutterOf(
  boxes: readonly Box[],
  rows: readonly (readonly Box[])[],
  [before, next]: readonly [Box, Box],
  { left, right }: Pick<Column, 'left' | 'right'>,
): number {
  const [from, to] = [centerX(before), centerX(next)];
  const between = (before.x + before.width + next.x) / 2;
  const ends = boxes.flatMap(({ x, width }) => [x, x + width]).filter((x) => x > from && x < to);
  const places = [from, ...ends.sort((a, b) => a - b), to];
  const stretches = places.slice(1).map((end, index) => {
    const start = places[index]!;
    const middle = (start + end) / 2;
    const holds = (row: readonly Box[], a: number, b: number) =>
      row.some((box) => centerX(box) > a && centerX(box) < b);
    const parted = rows.filter((row) => holds(row, left, middle) && holds(row, middle, right)).length;
    const cut = boxes.filter(({ x, width }) => x < middle && x + width > middle).length;
    const isBetween = holds(boxes, left, middle) && holds(boxes, middle, right);
    return { middle, worth: parted - cut, isBetween, off: Math.max(0, start - between, between - end) };
  });
  return stretches.toSorted(
    (a, b) => b.worth - a.worth || Number(b.isBetween) - Number(a.isBetween) || a.off - b.off,
  )[0]!.middle;
}

/** Letters of a mark before a name; in line heights, how much apart marks of one column start, and from the names behind them. */
const MARK = { letters: 3, indent: 0.5, gap: 0.5 };
const MIN_MARKED_SHARE = 0.6;

/** Adds a column of marks before the names if no word heads them: Rp, a kind of order. */
function withMarks(columns: readonly Column[], below: readonly Print[]): readonly Column[] {
  const [names, ...others] = columns;
  if (names?.header.match?.kind !== 'drugName') return columns;
  const inNames = below.filter(isWithin(names));
  const rows = groupByLevel(inNames).filter((row) => row.some(isName));
  const marks = rows.flatMap(([mark, name]) => {
    if (!mark || !name || [...mark.text].length > MARK.letters || !/\p{L}/u.test(mark.text)) return [];
    const isApart = name.box.x - mark.box.x - mark.box.width > MARK.gap * mark.box.height;
    return isApart && name.text.length > MARK.letters ? [{ mark: mark.box, name: name.box }] : [];
  });
  const left = medianOf(marks.map(({ mark }) => mark.x));
  const aligned = marks.filter(({ mark }) => Math.abs(mark.x - left) < MARK.indent * mark.height);
  const border = Math.min(...aligned.map(({ name }) => name.x));
  const areBefore = aligned.every(({ mark }) => mark.x + mark.width < border);
  if (!areBefore || aligned.length < Math.max(2, MIN_MARKED_SHARE * rows.length)) return columns;
  const header = unreadHeader(names.header, left, border);
  return [{ header, ruled: false, left: names.left, right: border }, { ...names, left: border }, ...others];
}

/** Adds a column between two columns with read headers if numbers lie there: its header was not read. */
function withUnheaded(columns: readonly Column[], below: readonly Print[]): readonly Column[] {
  return columns.flatMap((column, index) => {
    const next = columns[index + 1];
    if (!next?.ruled || !column.ruled || next.left <= column.right) return [column];
    const [left, right] = [column.right, next.left];
    const isBetween = ({ text, box }: Print) =>
      isTightNumber(text, box) && centerX(box) > left && centerX(box) < right && box.width < right - left;
    if (below.filter(isBetween).length < MIN_STACKED) return [column];
    return [column, { header: unreadHeader(column.header, left, right), ruled: true, left, right }];
  });
}

/** Whether a print may be a name, or shows a code. */
export function isName(print: Print): boolean {
  return /\p{L}{2}/u.test(print.text) || splitCodeAndName(print) !== null;
}

function unreadHeader({ box }: HeaderCell, left: number, right: number): HeaderCell {
  return { text: '', match: null, prints: [], box: { ...box, x: left, width: right - left } };
}

interface Stack {
  readonly left: number;
  readonly right: number;
  readonly size: number;
}

/** Numbers in vertical stacks, left to right; without those in only a few rows. */
function fullStacks(numbers: readonly Print[]): readonly Stack[] {
  const stacks: { left: number; right: number; size: number }[] = [];
  for (const { box } of numbers.toSorted((a, b) => a.box.x - b.box.x)) {
    const stack = stacks.at(-1);
    if (stack && box.x <= stack.right) {
      stack.right = Math.max(stack.right, box.x + box.width);
      stack.size++;
    } else stacks.push({ left: box.x, right: box.x + box.width, size: 1 });
  }
  const most = Math.max(...stacks.map(({ size }) => size));
  return stacks.filter(({ size }) => size > most / 2);
}

/** Minimum rows that show two stacks, and in line heights the white between them: a number and its unit, read as a digit, are closer. */
const MIN_STACKED = 2;
const STACK_GAP = 1;

/**
 * Two stacks of numbers below one header are two columns, if the header of one was not read, or is below a window: the header belongs
 * to the stack below it. If another header has no numbers, print is shifted, and the stack may be that one's.
 */
function splitByStacks(columns: readonly Column[], below: readonly Print[]): readonly Column[] {
  const withNumbers = columns.map((column) => {
    const isHere = isWithin(column);
    return { column, numbers: below.filter((print) => isTightNumber(print.text, print.box) && isHere(print)) };
  });
  if (withNumbers.some(({ column, numbers }) => isNumeric(column) && numbers.length === 0)) return columns;
  // Below a header of no field, 줄 코드, there may be a line's number and its code.
  const mayHoldTwo = (column: Column) => isNumeric(column) || column.header.match === null;
  return withNumbers.flatMap(({ column, numbers }) => (mayHoldTwo(column) ? partsByStacks(column, numbers) : [column]));
}

function partsByStacks(column: Column, numbers: readonly Print[]): readonly Column[] {
  const stacks = fullStacks(numbers).filter(({ size }) => size >= MIN_STACKED);
  const height = medianOf(numbers.map(({ box }) => box.height));
  const isApart = stacks.slice(1).every((stack, index) => stack.left - stacks[index]!.right > STACK_GAP * height);
  if (stacks.length < 2 || !isApart) return [column];
  const middle = centerX(column.header.box);
  const distances = stacks.map(({ left, right }) => Math.abs((left + right) / 2 - middle));
  const own = distances.indexOf(Math.min(...distances));
  const borders = stacks.slice(1).map((stack, index) => (stacks[index]!.right + stack.left) / 2);
  return stacks.map(({ left, right }, index) => {
    return {
      ...column,
      header: index === own ? column.header : unreadHeader(column.header, left, right),
      left: borders[index - 1] ?? column.left,
      right: borders[index] ?? column.right,
    };
  });
}

/** In line heights: maximum distance of a number from its column, and from the end of the name. */
const BESIDE = { column: 3, name: 0.8 };
const MIN_BESIDE_SHARE = 1 / 3;

/**
 * In print shifted to the left, the first column's numbers are at the end of the names, behind a wide blank: if many lines end so, the
 * column starts before these numbers.
 */
function withNumbersBeside(columns: readonly Column[], below: readonly Print[]): readonly Column[] {
  const index = columns.findIndex((column, n) => n > 0 && isNumeric(column));
  const [names, first] = [columns[index - 1], columns[index]];
  if (!names || !first || (names.header.match !== null && !NAME_KINDS.has(names.header.match.kind))) return columns;
  const inNames = below.filter(isWithin(names));
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

/** A number and a word right behind it, or a number with its unit. */
const BEFORE_WORD = /^(?<number>\d+)(?:[ .](?=\p{L})| (?=\d+\p{L}))(?<word>.+)$/du;

/** Whether the middle of a place is between the sides of a column. */
export function isIn({ left, right }: Pick<Column, 'left' | 'right'>, box: Box): boolean {
  return centerX(box) >= left && centerX(box) < right;
}

export function isWithin(column: Pick<Column, 'left' | 'right'>): (print: Print) => boolean {
  return ({ box }) => isIn(column, box);
}

/**
 * Where the rule between a number and the word of the next column was not seen, both were read as one, 90 식후30: the parts on both sides of the
 * border between their columns. Without a blank between them the number is doubted: a digit of it may have been read as a letter of the word.
 */
export function partAtBorder(print: Print, columns: readonly Column[]): readonly Print[] {
  const { x, width } = print.box;
  const index = columns.findIndex((column) => isNumeric(column) && x >= column.left && x < column.right);
  const [own, next] = [columns[index], columns[index + 1]];
  if (!own || !next || isNumeric(next) || x + width <= own.right) return [print];
  const found = BEFORE_WORD.exec(print.text)?.indices?.groups;
  if (!found) return [print];
  const number = partOfPrint(print, ...found.number!);
  const isApart = print.text[found.number![1]] === ' ';
  return [isApart ? number : doubtedPrint(number), { ...partOfPrint(print, ...found.word!), numeral: null }];
}

function between(a: HeaderCell, b: HeaderCell): number {
  return (a.box.x + a.box.width + b.box.x) / 2;
}
