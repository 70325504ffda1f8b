import type { Raster } from '../../raster.ts';
import type { Ink } from '../ink/ink.ts';
import { forInk } from '../ink/next-ink.ts';
import type { TracedLine } from './rule-evidence.ts';
import type { LineOfRuns } from './traced-lines.ts';

/** Ink so much darker than a rule, on it and on both sides, is print over it, and stays: of the rule's darkness, and of 255. */
const OVER_RULE = { times: 1.3, more: 15 };
/**
 * Ink darker than this is print, even near other ink, up to the length of a letter's stroke in letter heights: a pale rule may lie under
 * its length.
 */
const ALONG_RULE = { times: 2, more: 40, maxLength: 1.3 };

/** Pixels of rules, and of print over them; 1 for every one. */
export interface RulePixels {
  readonly mask: Uint8Array;
  readonly over: Uint8Array;
}

/** The level below which ink on a rule is print over it. */
export function darkest(darkness: number): number {
  return 255 - OVER_RULE.times * darkness - OVER_RULE.more;
}

/**
 * Marks the pixels of a rule's runs, but for print over it.
 * @returns whether a pixel of the page is so dark that it is print.
 */
export function markRuns(
  line: LineOfRuns,
  darkness: number,
  { width, pixels }: Raster,
  letterHeight: number,
  { mask, over }: RulePixels,
): (i: number) => boolean {
  const limit = darkest(darkness);
  const isPrint = (i: number) => (pixels[i] ?? 255) < limit;
  const beyond = (Math.ceil(line.thickness / 2) + 1) * width;
  const strokes = {
    limit: 255 - ALONG_RULE.times * darkness - ALONG_RULE.more,
    maxLength: ALONG_RULE.maxLength * letterHeight,
  };
  for (const run of line.group) {
    const { y } = run;
    const [from, to] = [Math.max(run.from, line.from), Math.min(run.to, line.to)];
    const end = y * width + to;
    for (let i = y * width + from; i < end; i++)
      (isPrint(i) && isPrint(i - beyond) && isPrint(i + beyond) ? over : mask)[i] = 1;
    markStrokes(pixels, y * width + from, end, strokes, over, mask);
  }
  return isPrint;
}

/** Moves what a letter's stroke has in common with the rule under it from the rule to the print over it. */
function markStrokes(
  pixels: Uint8Array,
  from: number,
  to: number,
  { limit, maxLength }: { readonly limit: number; readonly maxLength: number },
  over: Uint8Array,
  mask: Uint8Array,
): void {
  for (let i = from; i < to; i++) {
    const start = i;
    while (i < to && pixels[i]! < limit) i++;
    if (i - start > maxLength) continue;
    for (let at = start; at < i; at++) {
      over[at] = 1;
      mask[at] = 0;
    }
  }
}

/** In pixels more than its thickness: how far the ink of a rule goes across it. */
const EDGES = 2;

/** Includes remnants of a wavering rule above and below a run; larger ink across it is a letter. */
export function takeWhole(
  { from, path, thickness }: TracedLine,
  { width, height, bits }: Ink,
  isPrint: (i: number) => boolean,
  mask: Uint8Array,
): void {
  for (let index = 0; index < path.length; index++) {
    const middle = Math.round(path[index]!);
    const y = [middle, middle - 1, middle + 1].find((near) => mask[near * width + from + index]);
    if (y === undefined) continue;
    const isInk = (at: number) => at >= 0 && at < height && bits[at * width + from + index] === 1;
    let [top, bottom] = [y, y];
    while (isInk(top - 1)) top--;
    while (isInk(bottom + 1)) bottom++;
    if (bottom - top + 1 > thickness + EDGES) continue;
    for (let at = top; at <= bottom; at++) {
      const i = at * width + from + index;
      if (!isPrint(i)) mask[i] = 1;
    }
  }
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
