import type { Raster } from '../../raster.ts';
import type { RuledLine } from '../rules/ruled-lines.ts';
import { MIN_CROSSING } from '../rules/shine-through.ts';
import type { Frame } from '../tables/stacked-grids.ts';
import { type Component, findComponents } from './components.ts';
import type { Ink } from './ink.ts';

/** Between the darkness of the other side's rules and that of the page's own: letters are darker than thin rules of one form. */
const BETWEEN = 0.5;
/** Quantile, by darkness, of the other side's rules up to which they count as theirs. */
const USUAL = 0.8;
/** Part of the darkness of most of the page's own rules that the other side's have at most. */
const MAX_SHARE_OF_DARKNESS = 0.65;
const PALEST_QUARTER = 0.25;
/** Of the darkness of most of the page's own rules: where its letters begin, at the latest. */
const PALEST_LETTERS = 1.1;
/** In levels: how broad it is, where the letters of the two sides part. */
const GAP = 20;
/** Of the letters as dark as most of the other side's: the maximum share in the gap, and the minimum number. */
const IN_GAP = 0.25;
const MIN_LETTERS = 20;
/** The same, where the two sides are told apart by their rules. */
const IN_LOWER_GAP = 0.1;
/** In letter heights: lower pieces are parts of letters, higher ones are several. */
const LETTER = { min: 0.6, max: 1.6 };
/**
 * In letter heights: smaller pieces are full stops and commas, paler than their letters, at this distance from them and from their feet.
 */
const MARK = { size: 0.3, near: 0.5, off: 0.2 };

/**
 * Maximum darkness, 255 less the level, of ink that shines through from the other side: by its rules or, if these are nearly as dark as
 * the page's own, by the letters. Null if neither is conclusive.
 * @param ownFrames without the rules that shine through.
 * @param darkest the maximum darkness of each letter, 255 less its level.
 */
export function darknessOfOtherSide(
  frames: readonly Frame[],
  ownFrames: readonly Frame[],
  darkest: readonly number[],
): number | null {
  const ownRules = new Set(ownFrames.flatMap(rulesOf));
  const pale = darknessesOf(frames.flatMap(rulesOf).filter((rule) => !ownRules.has(rule)));
  const own = darknessesOf([...ownRules]);
  if (pale.length < MIN_CROSSING || own.length === 0) return null;
  const usual = pale[Math.floor(USUAL * pale.length)]!;
  const most = own[own.length >> 1]!;
  if (usual > MAX_SHARE_OF_DARKNESS * own[Math.floor(PALEST_QUARTER * own.length)]!)
    return gapOf(darkest, usual, PALEST_LETTERS * most);
  return betweenLetters(darkest, usual, usual + BETWEEN * Math.max(0, most - usual));
}

/** How many letters are about as dark. */
function countNear(darkest: readonly number[], darkness: number): number {
  return darkest.filter((one) => Math.abs(one - darkness) <= GAP / 2).length;
}

/**
 * A darkness as near to `to` as it parts no letters of one print: where many are about as dark as that, and hardly one is somewhat paler, the
 * page's own letters are paler than its rules.
 */
function betweenLetters(darkest: readonly number[], from: number, to: number): number {
  const many = countNear(darkest, to);
  if (many < MIN_LETTERS) return to;
  for (let at = to; at >= from; at--) if (countNear(darkest, at) <= IN_LOWER_GAP * many) return at;
  return to;
}

/**
 * How dark hardly a letter is, darker than the other side's rules, though many are paler, and most are darker: the first such place, and the
 * emptiest of those next to it. Null where there is none.
 */
function gapOf(darkest: readonly number[], from: number, to: number): number | null {
  const near = (at: number) => countNear(darkest, at);
  let paler = 0;
  let [gap, fewest] = [0, Number.POSITIVE_INFINITY];
  for (let at = 0; at <= to; at++) {
    const count = near(at);
    const isGap = at >= from && paler >= MIN_LETTERS && count <= IN_GAP * paler;
    if (isGap && count < fewest) [gap, fewest] = [at, count];
    if (!isGap && gap > 0) break;
    paler = Math.max(paler, count);
  }
  return gap > 0 && 2 * darkest.filter((one) => one > gap).length >= darkest.length ? gap : null;
}

function rulesOf({ horizontal, vertical }: Frame): readonly RuledLine[] {
  return [...horizontal, ...vertical];
}

function darknessesOf(rules: readonly RuledLine[]): readonly number[] {
  return rules.flatMap(({ darkness }) => darkness ?? []).sort((a, b) => a - b);
}

/** Whether letters of the other side shine through, too: without any, thin strokes of the page's own would be taken for them. */
export function shinesThrough(darkest: readonly number[], otherSide: number): boolean {
  return darkest.filter((one) => one <= otherSide).length >= MIN_LETTERS;
}

/** How dark every letter is where it is darkest, 255 less its level. */
export function darkestOf(
  parts: readonly Component[],
  { width, pixels }: Raster,
  letterHeight: number,
): readonly number[] {
  return parts
    .filter(({ top, bottom }) => bottom - top >= LETTER.min * letterHeight && bottom - top <= LETTER.max * letterHeight)
    .map(({ left, top, right, bottom }) => {
      let level = 255;
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) level = Math.min(level, pixels[y * width + x]!);
      return 255 - level;
    });
}

/**
 * 1 for every pixel of a component that is pale throughout: print of the other side. Components that touch the page's own print stay, as
 * do its punctuation marks.
 * @param darkness minimum peak darkness, 255 less the level, of the page's own components.
 */
export function paleInk(
  { width, height, bits }: Ink,
  flat: Raster,
  darkness: number,
  letterHeight: number,
): Uint8Array {
  const limit = 255 - darkness;
  const own = new Uint8Array(bits.length);
  const open: number[] = [];
  const take = (i: number) => {
    if (!bits[i] || own[i]) return;
    own[i] = 1;
    open.push(i);
  };
  for (let i = 0; i < bits.length; i++) if (bits[i] && flat.pixels[i]! <= limit) take(i);
  while (open.length > 0) {
    const i = open.pop()!;
    const x = i % width;
    for (let dy = -width; dy <= width; dy += width)
      for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
        const near = i + dy + dx;
        if (near >= 0 && near < bits.length) take(near);
      }
  }
  const pale = { width, height, bits: bits.map((bit, i) => bit & ~own[i]!) };
  for (const part of findComponents(pale)) if (isMark(part, own, pale, letterHeight)) erase(part, pale);
  return pale.bits;
}

/** Full stops and commas lie at the feet of letters. */
function isMark(part: Component, own: Uint8Array, { width, height }: Ink, letterHeight: number): boolean {
  if (Math.max(part.right - part.left, part.bottom - part.top) > MARK.size * letterHeight) return false;
  const near = Math.round(MARK.near * letterHeight);
  const [left, right] = [Math.max(0, part.left - near), Math.min(width, part.right + near)];
  const off = Math.ceil(MARK.off * letterHeight);
  for (let y = Math.min(height, part.bottom + near) - 1; y >= Math.max(0, part.bottom - near); y--)
    if (own.subarray(y * width + left, y * width + right).includes(1)) return Math.abs(y + 1 - part.bottom) <= off;
  return false;
}

function erase({ left, top, right, bottom }: Component, { width, bits }: Ink): void {
  for (let y = top; y < bottom; y++) bits.fill(0, y * width + left, y * width + right);
}

/** In letter heights: the gray of a letter's edges. */
const SOFT_EDGE = 0.12;

/** Takes out all but print and its edges. */
export function keepPrint({ width, pixels }: Raster, { bits }: Ink, letterHeight: number): void {
  const reach = Math.max(2, Math.round(SOFT_EDGE * letterHeight));
  const kept = new Uint8Array(pixels.length);
  const spread = (from: Uint8Array, to: Uint8Array, step: number) => {
    for (let i = 0; i < from.length; i++)
      if (from[i]) for (let away = -reach; away <= reach; away++) to[i + away * step] = 1;
  };
  const along = new Uint8Array(pixels.length);
  spread(bits, along, 1);
  spread(along, kept, width);
  for (let i = 0; i < pixels.length; i++) if (!kept[i]) pixels[i] = 255;
}
