import { medianOf } from '../../../median.ts';
import type { Raster } from '../../raster.ts';
import { transpose } from '../../transpose.ts';
import type { TopHatInk } from '../ink/black-top-hat.ts';
import type { Ink } from '../ink/ink.ts';
import type { Layout } from '../layout.ts';
import { darknessOf, type TracedLine } from './rule-evidence.ts';
import { darkest, type RulePixels, thicken } from './rule-pixels.ts';
import {
  type LineLimits,
  onPage,
  type RuledLine,
  type RuledLines,
  type Rules,
  type TracedRule,
} from './ruled-lines.ts';
import { mergeCollinear, tracedLines } from './traced-lines.ts';

/** In letter heights: gap between pieces of one rule. */
const MAX_GAP = 1.5;
/** In pixels more than its thickness: how far the ink of a rule goes across it. */
const EDGES = 4;
/** In pixels: how much sooner than its print a rule may end in the layout. */
const LOST = 4;

/**
 * The rules that the layout shows, as lines.
 * @param flat the page's levels, on even paper.
 * @param thin ink that takes in light gray rules: what of it lies along a rule is the rule's.
 * @param text ink of letters, from which the lines are taken out.
 */
export function rulesOfLayout(
  { rows, columns }: Layout,
  flat: Raster,
  thin: TopHatInk,
  text: Ink,
  limits: LineLimits,
): RuledLines {
  const { width, height } = text;
  const { transposed } = thin;
  const down = { width: height, height: width, bits: transpose(columns, width, height) };
  return onPage(
    rulesAlong({ width, height, bits: rows }, thin.horizontal, flat, limits.minHorizontal, limits),
    rulesAlong(down, transposed.vertical, transposed.page, limits.minVertical, limits),
    text,
  );
}

function rulesAlong(
  shown: Ink,
  printed: Ink,
  flat: Raster,
  minLength: number,
  { maxThickness, letterHeight }: LineLimits,
): Rules {
  const { width, height, bits } = shown;
  const mask = new Uint8Array(bits.length);
  const over = new Uint8Array(bits.length);
  const lines: RuledLine[] = [];
  const traces: TracedRule[] = [];
  for (const { group: _, ...shownLine } of tracedLines(shown, minLength, maxThickness)) {
    const whole = lengthened(shownLine, width);
    const strips = stripsOf(whole, printed);
    const thickness = printedThickness(strips, shownLine.thickness);
    const line = { ...shownLine, thickness };
    const { path: __, ...straightened } = line;
    const darkness = darknessOf(line, flat);
    lines.push({ ...straightened, darkness });
    traces.push({ ...line, darkness });
    markStrips({ ...whole, thickness }, strips, darkest(darkness), flat, { mask, over });
  }
  return {
    lines: mergeCollinear(lines, MAX_GAP * letterHeight),
    traces,
    mask: thicken(mask, printed.bits, width, height),
    over,
  };
}

function lengthened(line: TracedLine, width: number): TracedLine {
  const [from, to] = [Math.max(0, line.from - LOST), Math.min(width, line.to + LOST)];
  const last = line.path.length - 1;
  const path = Float64Array.from(
    { length: to - from },
    (_, index) => line.path[Math.min(last, Math.max(0, from + index - line.from))]!,
  );
  return { ...line, from, to, path };
}

/** Ink across a rule at one place: from its top up to, not including, its bottom. */
interface Strip {
  readonly top: number;
  readonly bottom: number;
}

/** The ink at every place of a rule; null where there is none, as between dashes. */
function stripsOf({ from, path, thickness }: TracedLine, { width, height, bits }: Ink): readonly (Strip | null)[] {
  const reach = Math.ceil(thickness / 2) + 1;
  return Array.from(path, (y, index) => {
    const middle = Math.round(y);
    const isInk = (at: number) => at >= 0 && at < height && bits[at * width + from + index] === 1;
    const inked = placesNear(middle, reach).find(isInk);
    if (inked === undefined) return null;
    let [top, bottom] = [inked, inked + 1];
    while (isInk(top - 1) && middle - top <= 3 * reach) top--;
    while (isInk(bottom) && bottom - middle <= 3 * reach) bottom++;
    return { top, bottom };
  });
}

/** How thick a rule is in print, in pixels. */
function printedThickness(strips: readonly (Strip | null)[], shown: number): number {
  const alone = strips.flatMap((strip) =>
    strip && strip.bottom - strip.top <= shown + EDGES ? strip.bottom - strip.top : [],
  );
  return alone.length > 0 ? medianOf(alone) : shown;
}

/** Marks the ink of a rule; where print crosses it, only the ink that is as pale as the rule. */
function markStrips(
  { from, path, thickness }: TracedLine,
  strips: readonly (Strip | null)[],
  print: number,
  { width, height, pixels }: Raster,
  { mask, over }: RulePixels,
): void {
  strips.forEach((strip, index) => {
    const coreTop = Math.round(path[index]! - thickness / 2);
    const core = { top: coreTop, bottom: coreTop + Math.ceil(thickness) };
    const isAlone = strip !== null && strip.bottom - strip.top <= thickness + EDGES;
    const { top, bottom } = strip === null ? core : isAlone ? strip : within(core, strip);
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
      const i = y * width + from + index;
      // Another rule may cross here, whose ink is as long as a letter's.
      (strip === null || (pixels[i]! < print && !isAlone) ? over : mask)[i] = 1;
    }
  });
}

function within(core: Strip, strip: Strip): Strip {
  return { top: Math.max(strip.top, core.top), bottom: Math.min(strip.bottom, core.bottom) };
}

/** The place itself, then those on both sides of it, nearest first. */
function placesNear(middle: number, reach: number): readonly number[] {
  const places = [middle];
  for (let away = 1; away <= reach; away++) places.push(middle - away, middle + away);
  return places;
}
