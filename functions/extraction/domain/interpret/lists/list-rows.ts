import { medianOf } from '../../median.ts';
import { joinReadings } from '../../reading/reading-parts.ts';
import type { Box, Reading } from '../../reading/table-reader.ts';
import { displayWidth } from '../../text/display-width.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { centerY, hullOf, isLevel, type Print } from '../print.ts';
import { gridRowOf } from './grid-rows.ts';
import { type Column, isWithin } from './list-columns.ts';
import { type Line, linesOf } from './list-lines.ts';
import { isSectionName } from './list-marks.ts';

/** A number, perhaps with its unit. */
export const NUMBER = /^\d[\d.,]*\s?\p{L}{0,3}$/u;
/** In line heights: maximum vertical offset of a number from its row, if rows are not closer. */
const SHIFT = 1;
/** Part of the distance of two rows. */
const NEAR_ROW = 0.6;
/** Part of a column's width that a wrapped line fills. */
const FULL_LINE = 0.8;

/** A row of a list as it is printed. */
export interface Row {
  readonly code: Reading | null;
  readonly name: Reading | null;
  /** Lines that contain the name. */
  readonly lines: readonly Line[];
  readonly box: Box;
  readonly cells: ReadonlyMap<Column, Line>;
  /** Its row of the form's grid; null where it lies in several, or in none. */
  readonly gridRow: number | null;
}

/** The rows of a list: each begins with a code, or with a name that has numbers next to it. */
export function rowsOf(
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
  const codeColumns = ownCodeColumns(nameColumns);
  const begun = new Set(anchors);
  const named = anchors.map((anchor, index): Row => {
    const wrapped = wrappedLines(anchor, lines, begun, width, height);
    const parts = splitCodeAndName(anchor) ?? besideNames(anchor, codeColumns);
    const name = joinReadings([parts ? parts.name : anchor, ...wrapped]);
    return {
      code: parts?.code ?? null,
      name: name.text === '' ? null : name,
      lines: [parts ? behindCode(anchor, parts.name) : anchor, ...wrapped],
      box: hullOf([anchor, ...wrapped].map((print) => print.box)),
      cells: cells[index]!,
      gridRow: gridRowOf(anchor.parts),
    };
  });
  const placed = new Set(cells.flatMap((each) => [...each.values()]));
  return [...withoutRepeats(named), ...namelessRows(lineByColumn, placed, named)].sort(
    (a, b) => centerY(a.box) - centerY(b.box),
  );
}

/** A line's name alone, at the end of its place: its code would come back where a name is put together again of its lines. */
function behindCode(line: Line, name: Reading): Line {
  const { box } = line;
  const width = (box.width * displayWidth(name.text)) / displayWidth(line.text);
  return { ...line, ...name, box: { ...box, x: box.x + box.width - width, width } };
}

/** The columns of the codes, where the names have others. */
export function ownCodeColumns(nameColumns: readonly Column[]): readonly Column[] {
  const codes = nameColumns.filter(({ header }) => header.match?.kind === 'drugCode');
  return codes.length < nameColumns.length ? codes : [];
}

/** A line's print in the columns of the codes, even if it is not a drug's code but a fee's, and the rest; null without such print. */
function besideNames({ parts }: Line, codes: readonly Column[]): { code: Reading; name: Reading } | null {
  const code = parts.filter((part) => codes.some((column) => isWithin(column)(part)));
  const name = parts.filter((part) => !code.includes(part));
  return code.length > 0 && name.length > 0 ? { code: joinReadings(code, ' '), name: joinReadings(name, ' ') } : null;
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
      gridRow: gridRowOf(group.flatMap(({ print }) => print.parts)),
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

/** Lines below a row's first that continue its name: the line before is full, or they begin with a bracket, a stroke or a slash. */
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
