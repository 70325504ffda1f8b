import { medianOf } from '../../../median.ts';
import type { Raster } from '../../raster.ts';
import type { Ink } from '../ink/ink.ts';
import { forInk } from '../ink/next-ink.ts';
import type { TracedLine } from './ruled-line.ts';

/** Ink that crosses a rule is print if it is darker than this: a multiple of the rule's darkness, and more levels of 255. */
const ON_RULE = { times: 1.3, more: 15 };
/** The same of ink along a rule, which may be a letter's stroke. */
const ALONG_RULE = { times: 2, more: 40 };
/** In letter heights: maximum length of such a stroke. */
const MAX_STROKE = 1.3;
/** In pixels more than its thickness: how far the ink of a rule goes across it. */
const EDGES = 4;
/** In pixels: how much sooner than its print a rule may end in the layout. */
const LOST = 4;

/** Pixels of rules, and of print over them; 1 for every one. */
export interface RulePixels {
  readonly mask: Uint8Array;
  readonly over: Uint8Array;
}

/** A rule as it is printed. */
export interface PrintedRule {
  readonly line: TracedLine;
  /** Its ink may reach a little farther than the layout shows. */
  readonly inked: TracedLine;
  /** The ink at every place of `inked`. */
  readonly strips: readonly (Strip | null)[];
}

/** A layout that comes close to the picture's edge runs on to it; the rule ends with its ink there. */
export function printedRule(shown: TracedLine, printed: Ink): PrintedRule {
  const inked = lengthened(shown, printed.width);
  const strips = stripsOf(inked, printed);
  const isInk = (strip: Strip | null) => strip !== null;
  const first = inked.from === 0 ? strips.findIndex(isInk) : -1;
  const end = inked.to === printed.width ? inked.from + strips.findLastIndex(isInk) + 1 : inked.to;
  const from = first > shown.from && first < shown.to ? first : shown.from;
  const to = end > from && end < shown.to ? end : shown.to;
  const path = shown.path.slice(from - shown.from, to - shown.from);
  const line = { ...shown, from, to, path, thickness: printedThickness(strips, shown.thickness) };
  return { line, inked, strips };
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

/** Marks the ink of a rule; where print crosses it or runs along it, only the ink that is as pale as the rule. */
export function markRule(
  { line: { thickness }, inked, strips }: PrintedRule,
  darkness: number,
  letterHeight: number,
  page: Raster,
  { mask, over }: RulePixels,
): void {
  const { width, height, pixels } = page;
  const { from, path } = inked;
  const print = darkerThan(darkness, ON_RULE);
  const isStroke = strokesAlong(levelsAlong(inked, page), darkerThan(darkness, ALONG_RULE), letterHeight);
  strips.forEach((strip, index) => {
    const coreTop = Math.round(path[index]! - thickness / 2);
    const core = { top: coreTop, bottom: coreTop + Math.ceil(thickness) };
    const isAlone = strip !== null && strip.bottom - strip.top <= thickness + EDGES;
    const { top, bottom } = strip === null ? core : isAlone ? strip : within(core, strip);
    const isOfPrint = isStroke[index] === 1 || !isAlone;
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
      const i = y * width + from + index;
      // Another rule may cross here, whose ink is as long as a letter's.
      (strip === null || (isOfPrint && pixels[i]! < print) ? over : mask)[i] = 1;
    }
  });
}

/** 1 for every place of a line at which a letter's stroke runs along it. */
function strokesAlong(levels: Uint8Array, darkest: number, letterHeight: number): Uint8Array {
  const strokes = levels.map((level) => Number(level < darkest));
  for (let at = 0; at < strokes.length; at++) {
    const from = at;
    while (strokes[at] === 1) at++;
    if (at - from > MAX_STROKE * letterHeight) strokes.fill(0, from, at);
  }
  return strokes;
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

function darkerThan(darkness: number, { times, more }: { readonly times: number; readonly more: number }): number {
  return 255 - times * darkness - more;
}

/** How much darker than white paper most of a line is, of 255. */
export function darknessOf(line: TracedLine, flat: Raster): number {
  const own = levelsAlong(line, flat).sort();
  return 255 - own[own.length >> 1]!;
}

function levelsAlong({ from, path }: TracedLine, { width, height, pixels }: Raster): Uint8Array {
  const levels = new Uint8Array(path.length);
  for (let index = 0; index < path.length; index++) {
    const y = Math.round(path[index]!);
    levels[index] = y < 0 || y >= height ? 255 : pixels[y * width + from + index]!;
  }
  return levels;
}

/** Includes the soft edge of a line: adjacent ink that is not part of a crossing letter. */
export function thicken(mask: Uint8Array, bits: Uint8Array, width: number, height: number): Uint8Array {
  const out = mask.slice();
  const [first, last] = [width, (height - 1) * width];
  forInk(mask, (i) => {
    const [above, below] = [i - width, i + width];
    if (below < last && bits[below] && !mask[below] && !bits[below + width]) out[below] = 1;
    // Ink between two lines is the lower edge of the upper one.
    if (above >= first && bits[above] && !mask[above] && !mask[above - width] && !bits[above - width]) out[above] = 1;
  });
  return out;
}
