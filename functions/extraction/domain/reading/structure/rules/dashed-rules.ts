import { medianOf } from '../../../median.ts';
import type { Raster } from '../../raster.ts';
import { transpose } from '../../transpose.ts';
import { type Component, findComponents } from '../ink/components.ts';
import type { Ink } from '../ink/ink.ts';
import { forInk } from '../ink/next-ink.ts';
import { ALONE, type Dash, heightAt, isEven, rulesAmong } from './dash-evidence.ts';
import { dashesInPhase } from './dashes-in-phase.ts';
import type { RuledLine } from './ruled-lines.ts';

export interface DashedRules {
  readonly horizontal: readonly RuledLine[];
  readonly vertical: readonly RuledLine[];
  /** 1 for every pixel of their dashes, those included that letters touch. */
  readonly mask: Uint8Array;
}

/** In letter heights: a dash is thin and short, and the next one is near, on a level with it. */
const DASH = { thickness: 0.33, minThickness: 3, length: 1.2, gap: 1, drop: 0.15 };
/** In letter heights: step between dashes down the page; lines of text, and so the digits of a column, are further apart. */
const MAX_PITCH_DOWN = 1.25;
/** In letter heights: how much of a rule letters that touch it may hide, and how far it bends meanwhile. */
const HIDDEN = { gap: 15, bend: 0.02 };
/** Fewer are no part of a rule that letters hide elsewhere. */
const MIN_PIECE = 3;
/** In letter heights: a stretch so long with nothing so near to it is no part of a rule. */
const WHITE = { length: 3, reach: 0.5 };
/** In letter heights. */
const BEYOND = 40;

/**
 * Rules that a form draws as rows of dashes or dots, across the page and down.
 * @param flat the page's levels on even paper: rules of the other side are paler, and a pale rule under print is in pieces too.
 */
export function findDashedRules(
  components: readonly Component[],
  ink: Ink,
  letterHeight: number,
  { pixels }: Raster,
): DashedRules {
  // What the picture's edge cuts off may be the ends of letters.
  const whole = components.filter(({ top, bottom }) => top > 0 && bottom < ink.height);
  const thin = thinAmong(
    whole.map(({ left, right, top, bottom }) => dash(left, right, top, bottom)),
    letterHeight,
  );
  const seen = rulesAmong(
    rowsOf(thin, letterHeight, Number.POSITIVE_INFINITY),
    'across',
    (x, y) => isInk(ink, x, y),
    letterHeight,
  );
  const inPhase = dashesInPhase(thin, seen.filter(isEven), letterHeight);
  const across = [...seen, ...inPhase].flatMap((row) => partedAtWhite(row, ink, letterHeight));
  // Where dashes of both directions meet they are one piece of ink, too wide for a dash: those down the page are looked for without the others.
  const parts = across.length > 0 ? findComponents(withoutRows(ink, across, letterHeight)) : components;
  const down = rulesAmong(
    rowsOf(
      thinAmong(
        parts.map(({ left, right, top, bottom }) => dash(top, bottom, left, right)),
        letterHeight,
      ),
      letterHeight,
      MAX_PITCH_DOWN * letterHeight,
    ),
    'down',
    (y, x) => isInk(ink, x, y),
    letterHeight,
  );
  const { width, height, bits } = ink;
  const mask = new Uint8Array(bits.length);
  for (const rule of across) maskRule(rule, ink, letterHeight, mask);
  if (down.length > 0) {
    const turned = new Uint8Array(bits.length);
    const turnedInk = { width: height, height: width, bits: transpose(bits, width, height) };
    for (const rule of down) maskRule(rule, turnedInk, letterHeight, turned);
    forInk(transpose(turned, height, width), (i) => {
      mask[i] = 1;
    });
    maskCrossings(across, down, ink, mask);
  }
  const level = (x: number, y: number) => pixels[Math.round(y) * width + Math.round(x)] ?? 255;
  return {
    horizontal: across.map((row) => toRule(row, level)),
    vertical: down.map((row) => toRule(row, (y, x) => level(x, y))),
    mask,
  };
}

function dash(from: number, to: number, near: number, far: number): Dash {
  return { from, to, at: (near + far - 1) / 2, thickness: far - near };
}

/** Pieces that may be dashes, in their order. */
function thinAmong(pieces: readonly Dash[], letterHeight: number): readonly Dash[] {
  const thickest = Math.max(DASH.minThickness, DASH.thickness * letterHeight);
  const longest = DASH.length * letterHeight;
  return pieces
    .filter(({ from, to, thickness }) => thickness <= thickest && to - from <= longest)
    .sort((a, b) => a.from - b.from);
}

/** Dashes one behind the other, those that letters part included. */
function rowsOf(thin: readonly Dash[], letterHeight: number, maxPitch: number): readonly (readonly Dash[])[] {
  const drop = Math.max(1, DASH.drop * letterHeight);
  const follows = (last: Dash, next: Dash) => Math.abs(last.at - next.at) <= drop && next.from - last.from <= maxPitch;
  const pieces = chains(thin, DASH.gap * letterHeight, (row, next) => follows(row.at(-1)!, next[0]!))
    .filter((row) => row.length >= MIN_PIECE)
    .sort((a, b) => a[0]!.from - b[0]!.from);
  const goesOn = (row: readonly Dash[], next: readonly Dash[]) => {
    const gap = next[0]!.from - row.at(-1)!.to;
    return Math.abs(row.at(-1)!.at - next[0]!.at) <= drop + HIDDEN.bend * Math.max(0, gap);
  };
  return chains(pieces, HIDDEN.gap * letterHeight, goesOn);

  function chains(
    items: readonly (Dash | readonly Dash[])[],
    maxGap: number,
    fits: (row: readonly Dash[], next: readonly Dash[]) => boolean,
  ): Dash[][] {
    const open: Dash[][] = [];
    const done: Dash[][] = [];
    for (const item of items) {
      const next = Array.isArray(item) ? (item as readonly Dash[]) : [item as Dash];
      for (let i = open.length - 1; i >= 0; i--)
        if (next[0]!.from - open[i]!.at(-1)!.to > maxGap) done.push(...open.splice(i, 1));
      const row = open.find((each) => fits(each, next));
      if (row) row.push(...next);
      else open.push([...next]);
    }
    return [...done, ...open];
  }
}

/**
 * Marks the dashes, and between them the remnants of dashes that letters touch: thin ink at their height with nothing above or below. The
 * bottom of a letter has the rest of the letter above it, and a full stop is shorter than a dash.
 */
function maskRule(row: readonly Dash[], ink: Ink, letterHeight: number, mask: Uint8Array): void {
  const { width } = ink;
  const thickness = Math.max(...row.map((each) => each.thickness)) + 1;
  const minResidue = 0.5 * lengthOf(row);
  row.forEach((each, index) => {
    for (let x = each.from; x < each.to; x++) erase(x, thinInk(x, each.at));
    const next = row[index + 1];
    if (next)
      eraseResidue(each.to, next.from, (x) => each.at + ((next.at - each.at) * (x - each.to)) / (next.from - each.to));
  });
  // Beyond its ends the rule may continue below letters that touch every dash.
  const { at, slope } = straightLine(row);
  const straight = (x: number) => at + slope * x;
  const reach = BEYOND * letterHeight;
  eraseResidue(Math.max(0, Math.round(row[0]!.from - reach)), row[0]!.from, straight);
  eraseResidue(row.at(-1)!.to, Math.min(width, Math.round(row.at(-1)!.to + reach)), straight);

  function eraseResidue(from: number, to: number, heightAt: (x: number) => number): void {
    let residue: { x: number; lines: readonly [number, number] }[] = [];
    for (let x = from; x <= to; x++) {
      const lines = x === to ? null : thinInk(x, heightAt(x));
      if (lines && isAlone(x, lines)) residue.push({ x, lines });
      else {
        if (residue.length >= minResidue) for (const one of residue) erase(one.x, one.lines);
        residue = [];
      }
    }
  }

  function thinInk(x: number, at: number): readonly [number, number] | null {
    const y = Math.round(at);
    const start = [y, y - 1, y + 1, y - 2, y + 2].find((line) => isInk(ink, x, line));
    if (start === undefined) return null;
    let [top, bottom] = [start, start];
    while (isInk(ink, x, top - 1) && y - top <= thickness) top--;
    while (isInk(ink, x, bottom + 1) && bottom - y <= thickness) bottom++;
    return bottom - top < thickness ? [top, bottom] : null;
  }

  function isAlone(x: number, [top, bottom]: readonly [number, number]): boolean {
    for (let away = 1; away <= ALONE * letterHeight; away++)
      if (isInk(ink, x, top - away) || isInk(ink, x, bottom + away)) return false;
    return true;
  }

  function erase(x: number, lines: readonly [number, number] | null): void {
    if (lines) for (let y = lines[0]; y <= lines[1]; y++) mask[y * width + x] = 1;
  }
}

function isInk({ bits, width, height }: Ink, x: number, y: number): boolean {
  return x >= 0 && x < width && y >= 0 && y < height && bits[y * width + x] === 1;
}

/** The ink without what lies on the rules across the page, letters on them and the dashes right beyond their ends included. */
function withoutRows({ bits, width, height }: Ink, rules: readonly (readonly Dash[])[], letterHeight: number): Ink {
  const rest = bits.slice();
  const beyond = Math.round(DASH.gap * letterHeight);
  for (const row of rules) {
    const reach = reachOf(row);
    const [from, to] = [Math.max(0, row[0]!.from - beyond), Math.min(width, row.at(-1)!.to + beyond)];
    for (let x = from; x < to; x++) {
      const at = heightAt(row, x);
      const [top, bottom] = [Math.max(0, Math.round(at - reach)), Math.min(height - 1, Math.round(at + reach))];
      for (let y = top; y <= bottom; y++) rest[y * width + x] = 0;
    }
  }
  return { width, height, bits: rest };
}

/** Where rules cross, the dashes of both are one piece of ink, thick in both directions: nothing of it is left. */
function maskCrossings(
  across: readonly (readonly Dash[])[],
  down: readonly (readonly Dash[])[],
  { bits, width, height }: Ink,
  mask: Uint8Array,
): void {
  for (const row of across)
    for (const column of down) {
      const y = heightAt(row, heightAt(column, row[0]!.at));
      const x = heightAt(column, y);
      const [alongRow, alongColumn] = [lengthOf(row), lengthOf(column)];
      if (x < row[0]!.from - alongRow || x > row.at(-1)!.to + alongRow) continue;
      if (y < column[0]!.from - alongColumn || y > column.at(-1)!.to + alongColumn) continue;
      erase(x, y, alongRow, reachOf(row));
      erase(x, y, reachOf(column), alongColumn);
    }

  function erase(x: number, y: number, reachX: number, reachY: number): void {
    const [left, right] = [Math.max(0, Math.round(x - reachX)), Math.min(width - 1, Math.round(x + reachX))];
    const [top, bottom] = [Math.max(0, Math.round(y - reachY)), Math.min(height - 1, Math.round(y + reachY))];
    for (let j = top; j <= bottom; j++)
      for (let i = left; i <= right; i++) if (bits[j * width + i]) mask[j * width + i] = 1;
  }
}

/**
 * Splits a row of dashes where there are neither dashes nor print that hides some: rules of two adjacent forms may be level with each
 * other.
 */
function partedAtWhite(row: readonly Dash[], ink: Ink, letterHeight: number): readonly (readonly Dash[])[] {
  const parts: Dash[][] = [];
  for (const each of row) {
    const last = parts.at(-1)?.at(-1);
    if (last && whiteBetween(last, each, ink, WHITE.reach * letterHeight) < WHITE.length * letterHeight)
      parts.at(-1)!.push(each);
    else parts.push([each]);
  }
  return parts.length === 1 ? [row] : parts.filter(({ length }) => length >= MIN_PIECE);
}

/** The longest stretch between two dashes with nothing so near to their level, pixels. */
function whiteBetween(last: Dash, next: Dash, ink: Ink, reach: number): number {
  const isWhite = (x: number) => {
    for (let away = -Math.floor(reach); away <= reach; away++)
      if (isInk(ink, x, Math.round(last.at) + away)) return false;
    return true;
  };
  let [longest, white] = [0, 0];
  for (let x = last.to; x < next.from; x++) {
    white = isWhite(x) ? white + 1 : 0;
    longest = Math.max(longest, white);
  }
  return longest;
}

/** Of its usual dash. */
function lengthOf(row: readonly Dash[]): number {
  const lengths = row.map(({ from, to }) => to - from).sort((a, b) => a - b);
  return lengths[lengths.length >> 1]!;
}

/** From the middle of a rule to its edge. */
function reachOf(row: readonly Dash[]): number {
  return Math.max(...row.map(({ thickness }) => thickness)) / 2;
}

/** The level of the page at a place along a rule and across it. */
type Level = (along: number, across: number) => number;

function toRule(row: readonly Dash[], level: Level): RuledLine {
  const thicknesses = row.map(({ thickness }) => thickness).sort((a, b) => a - b);
  return {
    from: row[0]!.from,
    to: row.at(-1)!.to,
    ...straightLine(row),
    thickness: thicknesses[thicknesses.length >> 1]!,
    darkness: darknessOf(row, level),
    ink: inkOf(row, level),
  };
}

function straightLine(row: readonly Dash[]): { at: number; slope: number } {
  const [first, last] = [row[0]!, row.at(-1)!];
  const slope = (last.at - first.at) / Math.max(1, last.from - first.from);
  return { at: first.at - slope * first.from, slope };
}

/** Where its dashes are darkest: a dash that is two pixels thick is blurred more than a long rule. */
function darknessOf(row: readonly Dash[], level: Level): number {
  return medianOf(
    row.map((dash) => {
      const levels = [-1, 0, 1].flatMap((along) =>
        [-1, 0, 1].map((across) => level(middleOf(dash) + along, dash.at + across)),
      );
      return 255 - Math.min(...levels);
    }),
  );
}

/** In the middle of its dashes, in sum across three pixels, as a rule of one piece is measured. */
function inkOf(row: readonly Dash[], level: Level): number {
  return medianOf(
    row.map((dash) => {
      const [above, before, own, behind, below] = [-2, -1, 0, 1, 2].map(
        (across) => 255 - level(middleOf(dash), dash.at + across),
      ) as [number, number, number, number, number];
      return before + own + behind + Math.max(0, above - behind, below - before);
    }),
  );
}

function middleOf({ from, to }: Dash): number {
  return (from + to - 1) / 2;
}
