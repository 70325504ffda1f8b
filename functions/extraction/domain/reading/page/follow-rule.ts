import type { Raster } from '../raster.ts';
import type { TracedRule } from '../structure/rules/ruled-lines.ts';

/** Part of a rule's darkness that its ink has further on. */
const AS_DARK = 0.5;
/** Pixels across, from where a rule is expected, where it may be. */
const REACH = 2;
/** Pixels along a rule that determine its direction. */
const TELLING = 32;
/** In letter heights: longest stretch of a rule hidden under print or in a scratch. */
const MAX_UNSEEN = 1.5;

/**
 * A rule as far as it runs to either side: where paper curls away, it climbs too steeply for any run along it to be long.
 * @param flat the page on even paper that the rule was traced on.
 */
export function followRule(rule: TracedRule, flat: Raster, letterHeight: number): TracedRule {
  const limits = {
    dark: 255 - AS_DARK * rule.darkness,
    beside: rule.thickness / 2 + REACH,
    unseen: MAX_UNSEEN * letterHeight,
  };
  const ahead = follow([...rule.path.slice(-TELLING)], { x: rule.to, step: 1 }, flat, limits);
  const back = follow([...rule.path.slice(0, TELLING)].reverse(), { x: rule.from - 1, step: -1 }, flat, limits);
  return {
    ...rule,
    from: rule.from - back.length,
    to: rule.to + ahead.length,
    path: Float64Array.from([...back.reverse(), ...rule.path, ...ahead]),
  };
}

interface Limits {
  readonly dark: number;
  readonly beside: number;
  readonly unseen: number;
}

/** Where a rule is across at every position beyond its end, up to where it was seen last. */
function follow(
  telling: readonly number[],
  { x, step }: { readonly x: number; readonly step: 1 | -1 },
  { width, height, pixels }: Raster,
  { dark, beside, unseen }: Limits,
): number[] {
  const path = [...telling];
  let seen = path.length;
  for (let at = x; at >= 0 && at < width; at += step) {
    const expected = extrapolated(path.slice(-TELLING));
    const isDark = (y: number) => y >= 0 && y < height && pixels[y * width + at]! <= dark;
    if (expected < 0 || expected >= height || path.length - seen > unseen) break;
    const middle = middleOfInk(expected, isDark, beside);
    path.push(middle ?? expected);
    if (middle !== null) seen = path.length;
  }
  return path.slice(telling.length, seen);
}

/**
 * Middle of the ink next to the expected place of a rule.
 * @returns null without ink, or if there is more than a rule: print touching it.
 */
function middleOfInk(expected: number, isDark: (y: number) => boolean, beside: number): number | null {
  const middle = Math.round(expected);
  for (const off of [0, -1, 1, -REACH, REACH]) {
    if (!isDark(middle + off)) continue;
    let [top, bottom] = [middle + off, middle + off];
    while (isDark(top - 1) && middle - top <= beside) top--;
    while (isDark(bottom + 1) && bottom - middle <= beside) bottom++;
    return bottom - top + 1 > 2 * beside || middle - top > beside || bottom - middle > beside
      ? null
      : (top + bottom) / 2;
  }
  return null;
}

/** The next value of a straight line through these. */
function extrapolated(values: readonly number[]): number {
  const centre = (values.length - 1) / 2;
  let [sum, slope, spread] = [0, 0, 0];
  for (const [i, value] of values.entries()) {
    sum += value;
    slope += (i - centre) * value;
    spread += (i - centre) ** 2;
  }
  return sum / values.length + (spread > 0 ? (slope / spread) * (values.length - centre) : 0);
}
