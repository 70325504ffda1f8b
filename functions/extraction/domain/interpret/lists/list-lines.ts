import type { Box } from '../../reading/table-reader.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { codeOfLine } from '../codes/code-line.ts';
import { areSeveral, doubtedPrint } from '../numbers/split-numbers.ts';
import { centerY, groupByLevel, joinPrint, type Print } from '../print.ts';

/** Prints side by side. */
export interface Line extends Print {
  /** Place of the name: the widest of its parts. */
  readonly name: Box;
  /** Its parts between wide blanks. */
  readonly parts: readonly Print[];
}

/** Prints side by side, joined from left to right; top to bottom. */
export function linesOf(prints: readonly Print[]): readonly Line[] {
  return groupByLevel(prints)
    .map(rowOf)
    .sort((a, b) => centerY(a.box) - centerY(b.box));
}

/** The print of a row as one line: the lines of a cell from top to bottom, one cell after the other. */
export function rowOf(prints: readonly Print[]): Line {
  const cells = inPlaces(prints).map((own) =>
    (own[0]!.cell === null ? [own] : groupByLevel(own)).map(joinLine).sort((a, b) => centerY(a.box) - centerY(b.box)),
  );
  const codes = cells.flat().filter(isBareCode).map(asCode);
  const names = cells.map((lines) => lines.filter((line) => !isBareCode(line))).filter(({ length }) => length > 0);
  return inOrder([...codes, ...names.map((lines) => lines.reduce((all, line) => joined(all, line, '')))]);
}

/** The prints of one cell, of one line that was read at once, or of neighbours without either. */
function inPlaces(prints: readonly Print[]): readonly (readonly Print[])[] {
  let neighbours: Print | null = null;
  const placeOf = (print: Print) => {
    const place = print.cell ?? print.line?.whole ?? null;
    neighbours = place === null ? (neighbours ?? print) : null;
    return place ?? neighbours;
  };
  return [
    ...Map.groupBy(
      prints.toSorted((a, b) => a.box.x - b.box.x),
      placeOf,
    ).values(),
  ];
}

/** One line of several from left to right, a code that stands alone before the rest: behind a name it could be a part of it. */
function inOrder(lines: readonly Line[]): Line {
  const ordered = lines.toSorted((a, b) => Number(isBareCode(b)) - Number(isBareCode(a)) || a.box.x - b.box.x);
  return ordered.reduce((all, line) => joined(all, line, ' '));
}

function joined(all: Line, line: Line, between: string): Line {
  const name = line.name.width > all.name.width ? line.name : all.name;
  return { ...all, ...joinPrint(all, line, between), name, parts: [...all.parts, ...line.parts], line: null };
}

function isBareCode(line: Print): boolean {
  return codeOfLine(line) !== null || splitCodeAndName(line)?.name.text === '';
}

/** A line that shows a code alone, without the marks around it. */
function asCode(line: Line): Line {
  return { ...line, ...codeOfLine(line) };
}

function joinLine(prints: readonly Print[]): Line {
  const [first] = prints;
  const name = prints.reduce((widest, { box }) => (box.width > widest.width ? box : widest), first!.box);
  let joined = first!;
  for (const print of prints.slice(1)) joined = { ...joined, ...joinPrint(joined, print, ' ') };
  const whole = wholeLine(prints, joined);
  if (!whole)
    return { ...(goesOn(prints, joined) ? { ...doubtedPrint(joined), crossed: true } : joined), name, parts: prints };
  return { ...(areSeveral(prints) ? doubtedPrint(whole) : whole), name, parts: prints };
}

/** Signs of a code, which may be in brackets. */
const MAX_CODE = 11;

/**
 * The reading of a whole line with these parts: letters are read better among others. Null if it contains other parts too, or lacks a
 * code that the parts show; if all parts except a code belong to it, it is the line with that code alone.
 */
function wholeLine(prints: readonly Print[], joined: Print): Print | null {
  const [first] = prints;
  const line = first!.line;
  if (!line || prints.some((print) => print.line?.whole !== line.whole)) return null;
  const whole = { ...first!, ...line.whole };
  // Ink that the line's own reading takes for nothing is none of its parts.
  const isWhole = prints.length + line.unread.length === line.parts && signsOf(whole) <= signsOf(joined);
  if (isWhole || prints.length === line.parts) return isCoded(whole) || !isCoded(joined) ? whole : null;
  const lacksCode = /\p{L}{2}/u.test(joined.text) && signsOf(whole) - signsOf(joined) <= MAX_CODE;
  return lacksCode && isCoded(whole) && !isCoded(joined) ? whole : null;
}

function isCoded(print: Print): boolean {
  return splitCodeAndName(print) !== null;
}

/** In line heights: unread ink this close behind a name may be the rest of it. */
const UNREAD_GAP = 1;

/** Whether a part below a seal, illegible by itself, follows these; the whole line shows that it is longer. */
function goesOn(prints: readonly Print[], joined: Print): boolean {
  const [first] = prints;
  const { line, box } = first!;
  if (!line) return false;
  const end = Math.max(...prints.map((print) => print.box.x + print.box.width));
  const isUnread = line.unread.some(({ x }) => x >= end && x - end < UNREAD_GAP * box.height);
  return isUnread && signsOf(line.whole) > signsOf(joined) + 1;
}

function signsOf({ text }: Pick<Print, 'text'>): number {
  return text.replace(/\s/g, '').length;
}
