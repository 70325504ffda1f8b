import { medianOf } from '../../median.ts';
import type { Raster } from '../raster.ts';
import type { TracedLine } from '../structure/rules/ruled-line.ts';
import type { TracedRule } from '../structure/rules/ruled-lines.ts';

/** Row rules that show how the paper bends: their minimum and maximum number, and their minimum length as a part of the page's width. */
const TELLING = { min: 4, max: 100, length: 0.2 };
/** In letter heights: a rule that leaves its row by less needs no flattening. */
const MIN_BEND = 0.3;
/** Part of what rules leave their rows by that may remain: more, and it is not a curl of the paper. */
const MAX_REST = 0.5;
/** Degrees that a rule may slant more or less than those above and below it let expect: more, and it is a stroke over the print. */
const MAX_SLANT = 2;
/** Minimum overlap, as a part of the rule, with the rules above and below, so that its slant can be compared. */
const MIN_SHARED = 1 / 3;
/** Relative to the page's usual rule darkness: paler rules shine through from the other side. */
const PALE = 0.65;
/** Of the page's width beyond the outermost rules: farther out it is pulled as far as there. */
const BEYOND = 0.1;
/** Pixels from one place of a rule that is looked at to the next. */
const STEP = 8;
/** Of the place across the page, and of the place down the page that each of them changes with. */
const POWERS = [1, 2, 3, 4, 5, 6] as const;
const DOWN = [0, 1, 2] as const;
/** Minimum number of rules for measuring the bend between the ends: among fewer, two strokes in the middle would distort it. */
const TELL_MIDDLE = 8;

/**
 * Paper that does not lie flat bows its lines: pulls the page up and down so that its row rules run straight. How far, at any place, is a
 * polynomial across the page that changes down the page, the one under which the rules are straightest (least squares).
 * @param rules row rules as they run. @returns null where the page lies flat, or its rules do not say how it bends.
 */
export function flatten(page: Raster, rules: readonly TracedRule[], letterHeight: number): Raster | null {
  const telling = withoutStrokes(ofThisSide(rules))
    .filter(({ from, to }) => to - from >= TELLING.length * page.width)
    .sort((a, b) => b.path.length - a.path.length)
    .slice(0, TELLING.max);
  if (countOf(telling) < TELLING.min) return null;
  const down = telling.length < TELL_MIDDLE ? DOWN.slice(0, 2) : DOWN;
  const area = areaOf(telling, page, down);
  const samples = telling.flatMap((rule) => samplesOf(rule, area));
  const weights = solve(normalEquations(samples));
  if (weights === null) return null;
  const before = meanSquare(samples.map(({ off }) => off));
  const after = meanSquare(samples.map(({ off, terms }) => off - dot(weights, terms)));
  if (after > MAX_REST ** 2 * before) return null;
  if (Math.max(...telling.map((rule) => bendOf(rule, area, weights))) < MIN_BEND * letterHeight) return null;
  return pulled(page, area, weights);
}

/** In pixels: both edges of one rule. */
const SAME_RULE = 3;

/** How many rules there are: of a thick or pale one both edges may have been found. */
function countOf(rules: readonly TracedRule[]): number {
  const middles = rules.map(middleOf).sort((a, b) => a - b);
  return middles.filter((y, n) => n === 0 || y - middles[n - 1]! > SAME_RULE).length;
}

/** Rules that shine through from the paper's other side are much paler, and run otherwise. */
function ofThisSide(rules: readonly TracedRule[]): readonly TracedRule[] {
  const limit = PALE * medianOf(rules.map(({ darkness }) => darkness));
  return rules.filter(({ darkness }) => darkness >= limit);
}

/**
 * A pen's stroke across the sheet is as long as a rule, but paper cannot slant one rule while its neighbours above and below run
 * straight: their slant at the same places, weighted by nearness, bounds this rule's.
 */
function withoutStrokes(rules: readonly TracedRule[]): readonly TracedRule[] {
  const down = [...rules].sort((a, b) => middleOf(a) - middleOf(b));
  return down.filter((rule, n) => {
    const [above, below] = [down[n - 1], down[n + 1]];
    if (!above || !below) return true;
    const from = Math.max(above.from, rule.from, below.from);
    const to = Math.min(above.to, rule.to, below.to);
    if (to - from < (rule.to - rule.from) * MIN_SHARED) return true;
    const [y, top, bottom] = [middleOf(rule), middleOf(above), middleOf(below)];
    const part = bottom > top ? (y - top) / (bottom - top) : 0.5;
    const expected = (1 - part) * slantOf(above, from, to) + part * slantOf(below, from, to);
    return Math.abs(slantOf(rule, from, to) - expected) <= MAX_SLANT;
  });
}

function middleOf({ path }: TracedLine): number {
  return path[path.length >> 1]!;
}

/** How much a rule falls from one place across the page to another, degrees. */
function slantOf({ from: start, path }: TracedLine, from: number, to: number): number {
  const at = (x: number) => path[Math.min(path.length - 1, Math.round(x - start))]!;
  return (Math.atan2(at(to) - at(from), to - from) * 180) / Math.PI;
}

/** A page, and the part of its width over which rules show the bend. */
interface Area {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  /** Powers of the place down the page with which it may change. */
  readonly down: readonly number[];
}

function areaOf(rules: readonly TracedLine[], { width, height }: Raster, down: readonly number[]): Area {
  const beyond = BEYOND * width;
  return {
    width,
    height,
    left: Math.min(...rules.map(({ from }) => from)) - beyond,
    right: Math.max(...rules.map(({ to }) => to)) + beyond,
    down,
  };
}

/** A place of a rule: how far it lies off the rule's middle, and what the polynomial's terms are there, less their middle along the rule. */
interface Sample {
  readonly off: number;
  readonly terms: readonly number[];
}

function samplesOf({ from, path }: TracedLine, area: Area): readonly Sample[] {
  const places: { readonly y: number; readonly terms: readonly number[] }[] = [];
  for (let i = 0; i < path.length; i += STEP) places.push({ y: path[i]!, terms: termsAt(from + i, path[i]!, area) });
  const middle = mean(places.map(({ y }) => y));
  const middles = places[0]!.terms.map((_, k) => mean(places.map(({ terms }) => terms[k]!)));
  return places.map(({ y, terms }) => ({ off: y - middle, terms: terms.map((term, k) => term - middles[k]!) }));
}

function termsAt(x: number, y: number, { width, height, left, right, down }: Area): readonly number[] {
  const [u, v] = [(2 * Math.min(right, Math.max(left, x))) / width - 1, (2 * y) / height - 1];
  return POWERS.flatMap((power) => down.map((degree) => u ** power * v ** degree));
}

/** How far a rule leaves its row, pixels. */
function bendOf({ from, path }: TracedLine, area: Area, weights: readonly number[]): number {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < path.length; i += STEP) {
    const shift = dot(weights, termsAt(from + i, path[i]!, area));
    [lowest, highest] = [Math.min(lowest, shift), Math.max(highest, shift)];
  }
  return highest - lowest;
}

/** Each pixel from as far above or below as the paper bends there; on average along a row nothing moves. */
function pulled(page: Raster, area: Area, weights: readonly number[]): Raster {
  const { width, height } = page;
  const pixels = new Uint8Array(width * height).fill(255);
  const marks = page.marks && new Uint8Array(width * height);
  // For each column, by the powers of the place down the page, less what they are on average.
  const { down: degrees } = area;
  const columns = degrees.map((_, k) => {
    const shifts = Float64Array.from({ length: width }, (_, x) => {
      // The terms of power 0 down the page are the powers across it, at any height.
      const terms = termsAt(x, height, area);
      return POWERS.reduce((sum, _, i) => sum + weights[i * degrees.length + k]! * terms[i * degrees.length]!, 0);
    });
    const average = shifts.reduce((sum, shift) => sum + shift, 0) / width;
    return shifts.map((shift) => shift - average);
  });
  for (let y = 0; y < height; y++) {
    const down = degrees.map((power) => ((2 * y) / height - 1) ** power);
    for (let x = 0; x < width; x++) {
      let shift = 0;
      for (let k = 0; k < down.length; k++) shift += columns[k]![x]! * down[k]!;
      // By whole pixels: a step now and then harms small print less than a blur everywhere.
      const from = y + Math.round(shift);
      if (from < 0 || from >= height) continue;
      pixels[y * width + x] = page.pixels[from * width + x]!;
      if (marks) marks[y * width + x] = page.marks![from * width + x]!;
    }
  }
  return { width, height, pixels, ...(marks && { marks }) };
}

function normalEquations(samples: readonly Sample[]): number[][] {
  const count = samples[0]!.terms.length;
  const rows = Array.from({ length: count }, () => new Array<number>(count + 1).fill(0));
  for (const { off, terms } of samples)
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) rows[i]![j]! += terms[i]! * terms[j]!;
      rows[i]![count]! += terms[i]! * off;
    }
  // Where rules say nothing about a term, at one height or in the middle alone, it stays small.
  for (let i = 0; i < count; i++) rows[i]![i]! += 1e-3 * samples.length;
  return rows;
}

/** Gaussian elimination. @returns null where the equations determine nothing. */
function solve(rows: number[][]): readonly number[] | null {
  const count = rows.length;
  for (let k = 0; k < count; k++) {
    const pivot = rows.slice(k).reduce((best, row) => (Math.abs(row[k]!) > Math.abs(best[k]!) ? row : best));
    if (Math.abs(pivot[k]!) < 1e-12) return null;
    [rows[rows.indexOf(pivot)], rows[k]] = [rows[k]!, pivot];
    for (const row of rows.slice(k + 1)) {
      const factor = row[k]! / pivot[k]!;
      for (let j = k; j <= count; j++) row[j]! -= factor * pivot[j]!;
    }
  }
  const weights = new Array<number>(count).fill(0);
  for (let k = count - 1; k >= 0; k--) {
    const known = weights.reduce((sum, weight, j) => sum + weight * rows[k]![j]!, 0);
    weights[k] = (rows[k]![count]! - known) / rows[k]![k]!;
  }
  return weights;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanSquare(values: readonly number[]): number {
  return mean(values.map((value) => value ** 2));
}
