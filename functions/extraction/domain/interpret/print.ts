import { DOUBT, joinReadings, partOf } from '../reading/reading-parts.ts';
import type { Box, PageReading, ReadCell, Reading, ReadLine, ReadPiece, ReadTable } from '../reading/table-reader.ts';

/** Something printed at one place of the page: a line, or the part of one that wide blanks set off. */
export interface Print extends ReadPiece {
  /** Its cell, and the cell's table; null outside of every table. */
  readonly cell: ReadCell | null;
  readonly table: ReadTable | null;
  /**
   * The whole line that it is a part of, read at once, the number of its parts, and the places of unread parts; null for a line in one
   * piece.
   */
  readonly line: { readonly whole: ReadPiece; readonly parts: number; readonly unread: readonly Box[] } | null;
}

/** All prints of a page. */
export function printsOf({ tables, texts }: Pick<PageReading, 'tables' | 'texts'>): readonly Print[] {
  const inside = tables.flatMap((table) =>
    table.cells.flatMap((cell) => linesOf(cell).flatMap((line) => partsOf(line, cell, table))),
  );
  const outside = texts.flatMap((text) => partsOf({ ...text, numeral: text.numeral ?? null }, null, null));
  return [...inside, ...joinSpacedTexts(outside)].filter(({ text }) => text !== '');
}

/** Part of a cell's height that is white above its print, and below, where the reader does not say where the print is. */
const WHITE = 0.15;

/** The printed lines of a cell; one, where the reader did not tell them apart. */
export function linesOf({ blank, text, numeral, box, lines }: ReadCell): readonly ReadLine[] {
  if (blank) return [];
  const { y, height } = box;
  return lines ?? [{ ...text, numeral, box: { ...box, y: y + WHITE * height, height: (1 - 2 * WHITE) * height } }];
}

function partsOf(whole: ReadLine, cell: ReadCell | null, table: ReadTable | null): readonly Print[] {
  const pieces = joinSpacedLetters(whole);
  const unread = pieces.filter(({ text }) => text === '').map(({ box }) => box);
  const line = pieces.length > 1 ? { whole, parts: pieces.length, unread } : null;
  const isAlone = pieces.length === 1 && (cell?.lines?.length ?? 1) === 1;
  return pieces.map((piece) => ({ ...piece, cell, table, line, ...(isAlone && cell?.crossed && { crossed: true }) }));
}

/** Letters that a form sets wide apart are one word: 처 방 의 약 품 의 명 칭. */
function joinSpacedLetters(line: ReadLine): readonly ReadPiece[] {
  if (!line.pieces) return [line];
  const joined: { piece: ReadPiece; spaced: boolean }[] = [];
  for (const piece of line.pieces) {
    const last = joined.at(-1);
    const spaced = /^\p{Script=Hangul}$/u.test(piece.text);
    if (last?.spaced && spaced) last.piece = joinPrint(last.piece, piece, '');
    else joined.push({ piece, spaced });
  }
  return joined.map(({ piece }) => piece);
}

/** In line heights: how far apart a form sets the letters of a word. */
const MAX_SPACED = 2.5;

/** The same outside of the cells. */
function joinSpacedTexts(prints: readonly Print[]): readonly Print[] {
  return groupByLevel(prints).flatMap((level) => {
    const joined: { print: Print; spaced: boolean }[] = [];
    for (const print of level) {
      const last = joined.at(-1);
      const spaced = /^\p{Script=Hangul}$/u.test(print.text);
      const gap = last ? print.box.x - last.print.box.x - last.print.box.width : 0;
      if (last?.spaced && spaced && gap < MAX_SPACED * print.box.height)
        last.print = { ...print, ...joinPrint(last.print, print, '') };
      else joined.push({ print, spaced });
    }
    return joined.map(({ print }) => print);
  });
}

const NUMBERS = /^[\d\s.,]+$/;

/** Whether a text is digits alone, perhaps of several numbers. */
export function areDigits(text: string): boolean {
  return NUMBERS.test(text);
}

/** Joins two neighbouring pieces; a number next to letters stays a number, and two numbers are hardly one. */
export function joinPrint(a: ReadPiece, b: ReadPiece, between: string): ReadPiece {
  const numerals = [a, b].flatMap(({ numeral, text }): readonly Reading[] =>
    /\d/.test(text) && numeral ? [numeral] : [],
  );
  const joined = joinReadings([a, b], between);
  const areTwo = areDigits(a.text) && areDigits(b.text);
  return {
    ...joined,
    confidence: areTwo ? joined.confidence * DOUBT : joined.confidence,
    numeral: numerals.length === 1 ? numerals[0]! : null,
    box: hullOf([a.box, b.box]),
    ...(a.crossed || b.crossed ? { crossed: true } : {}),
  };
}

/** The letters of a print from one place to another, as if read by themselves; every letter is taken to be as wide as the others. */
export function partOfPrint(print: Print, from: number, to: number): Print {
  const letter = print.box.width / print.text.length;
  const box = { ...print.box, x: print.box.x + from * letter, width: (to - from) * letter };
  const reading = partOf(print, from, to);
  return { ...print, ...reading, numeral: reading, box, line: null };
}

/** The smallest box around all. */
export function hullOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

export function centerX({ x, width }: Box): number {
  return x + width / 2;
}

export function centerY({ y, height }: Box): number {
  return y + height / 2;
}

/** Length that two stretches have in common; negative: the gap between them. */
export function overlap(aFrom: number, aTo: number, bFrom: number, bTo: number): number {
  return Math.min(aTo, bTo) - Math.max(aFrom, bFrom);
}

/** Whether they are side by side. */
export function isLevel(a: Box, b: Box): boolean {
  return overlap(a.y, a.y + a.height, b.y, b.y + b.height) > 0.5 * Math.min(a.height, b.height);
}

/** Whether neither is above the other, not even in part. */
export function areApart(a: Box, b: Box): boolean {
  return overlap(a.x, a.x + a.width, b.x, b.x + b.width) < 0;
}

/** Prints side by side, at any distance, from left to right. */
export function groupByLevel(prints: readonly Print[]): readonly (readonly Print[])[] {
  const levels: Print[][] = [];
  for (const print of prints.toSorted((a, b) => a.box.x - b.box.x)) {
    const level = levels.find(([first]) => isLevel(first!.box, print.box));
    if (level) level.push(print);
    else levels.push([print]);
  }
  return levels;
}
