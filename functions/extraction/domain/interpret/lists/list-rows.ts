import { medianOf } from '../../median.ts';
import { doubtedReading, joinReadings } from '../../reading/reading-parts.ts';
import type { Box, Reading } from '../../reading/table-reader.ts';
import { displayWidth } from '../../text/display-width.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { isQuantity } from '../numbers/split-numbers.ts';
import { centerY, hullOf, isLevel, type Print } from '../print.ts';
import { gridRowOf } from './grid-rows.ts';
import { type Column, isWithin } from './list-columns.ts';
import { type Line, linesOf } from './list-lines.ts';
import { nameLinesOf } from './name-lines.ts';
import { anchorsOf, isCoded } from './row-anchors.ts';

/** In line heights: maximum vertical offset of a number from its row, if rows are not closer. */
const SHIFT = 1;
/** Part of the distance of two rows. */
const NEAR_ROW = 0.6;

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

/** The rows of a list: each starts with a code, or with a name that has numbers next to it. */
export function rowsOf(
  lines: readonly Line[],
  byColumn: ReadonlyMap<Column, readonly Print[]>,
  nameColumns: readonly Column[],
): readonly Row[] {
  const height = medianOf(lines.map(({ box }) => box.height));
  const anchors = anchorsOf(lines, byColumn, height);
  if (anchors.length === 0) return [];
  const lineByColumn = new Map([...byColumn].map(([column, prints]) => [column, linesOf(prints)] as const));
  const cells = cellsOf(anchors, lineByColumn, height);
  const names = nameLinesOf(anchors, lines, nameWidth(nameColumns, lines), height);
  const codeColumns = ownCodeColumns(nameColumns);
  const named = anchors.map((anchor, index): Row => {
    const { above, below, mayLack } = names[index]!;
    const parts = splitCodeAndName(anchor) ?? besideNames(anchor, codeColumns);
    const read = joinReadings([...above, parts ? parts.name : anchor, ...below]);
    const name = mayLack ? doubtedReading(read) : read;
    return {
      code: parts?.code ?? null,
      name: name.text === '' ? null : name,
      lines: [...above, ...(parts ? behindCode(anchor, parts.name) : [anchor]), ...below],
      box: hullOf([...above, anchor, ...below].map((print) => print.box)),
      cells: cells[index]!,
      gridRow: gridRowOf(anchor.parts),
    };
  });
  const placed = new Set(cells.flatMap((each) => [...each.values()]));
  return [...named, ...namelessRows(lineByColumn, placed, named)].sort((a, b) => centerY(a.box) - centerY(b.box));
}

/** The print of each row in the other columns. */
function cellsOf(
  anchors: readonly Line[],
  byColumn: ReadonlyMap<Column, readonly Line[]>,
  height: number,
): readonly ReadonlyMap<Column, Line>[] {
  const coded = anchors.filter(isCoded);
  const pitch = pitchOf(coded.length > 1 ? coded : anchors) ?? 3 * height;
  const reach = Math.max(NEAR_ROW * pitch, Math.min(SHIFT * height, 0.9 * pitch));
  const cells = anchors.map(() => new Map<Column, Line>());
  const shifts = shiftsOf(byColumn, anchors, pitch);
  for (const [column, lines] of byColumn) {
    const shift = shifts.get(column) ?? 0;
    const off = (print: Print, anchor: Print) => Math.abs(centerY(print.box) - shift - centerY(anchor.box));
    // Prefer numbers to marks, then the closest baseline.
    const ranked = lines
      .map((print) => {
        const anchor = anchors.reduce((a, b) => (off(print, b) < off(print, a) ? b : a));
        return { print, row: anchors.indexOf(anchor), off: off(print, anchor), isNumber: isQuantity(print.text) };
      })
      .sort((a, b) => Number(b.isNumber) - Number(a.isNumber) || a.off - b.off);
    for (const { print, row, off: distance } of ranked)
      if (distance <= reach && !cells[row]!.has(column)) cells[row]!.set(column, print);
  }
  return cells;
}

/**
 * A line's name alone, at its own place: the code would come back where a name is put together again of its lines, and may be printed lower.
 * None where the code stands alone. Where one print holds both, the name is at its end.
 */
function behindCode(line: Line, name: Reading): readonly Line[] {
  if (name.text === '') return [];
  const code = line.parts.find((part) => splitCodeAndName(part)?.name.text === '')?.box;
  const boxes = line.parts.map((part) => part.box);
  const own = code ? [boxes.filter(({ x }) => x > code.x), boxes.filter(({ x }) => x < code.x)] : [];
  const found = own.find(({ length }) => length > 0);
  if (found) return [{ ...line, ...name, box: hullOf(found) }];
  const { box } = line;
  const width = (box.width * displayWidth(name.text)) / displayWidth(line.text);
  return [{ ...line, ...name, box: { ...box, x: box.x + box.width - width, width } }];
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
