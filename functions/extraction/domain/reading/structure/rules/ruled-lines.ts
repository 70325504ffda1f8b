import type { Raster } from '../../raster.ts';
import { transpose } from '../../transpose.ts';
import type { TopHatInk } from '../ink/black-top-hat.ts';
import type { Ink } from '../ink/ink.ts';
import { forInk, foursOf, nextInk } from '../ink/next-ink.ts';
import { atEvenSpaces } from './evenly-spaced-rules.ts';
import { followEnds, type Run } from './follow-ends.ts';
import { darknessOf, inkOf, isColumnRule, isRowRule, type TracedLine } from './rule-evidence.ts';
import { straightRules } from './straight-rules.ts';

/** A straight ruled line: along its axis from `from` to `to`; across it at `at + slope · position`. */
export interface RuledLine {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly slope: number;
  readonly thickness: number;
  /** How much darker than the paper it is, of 255; absent where it is not known. */
  readonly darkness?: number;
  /** How much darker than the paper it is in sum across it, three pixels of 255 at most; absent where it is not known. */
  readonly ink?: number;
  /** Gaps between the pieces that it was joined from; absent where it is of one piece. */
  readonly breaks?: readonly Span[];
}

/** A rule as it runs. */
export interface TracedRule extends TracedLine {
  /** How much darker than the paper it is, of 255. */
  readonly darkness: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface RuledLines {
  readonly horizontal: readonly RuledLine[];
  readonly vertical: readonly RuledLine[];
  /** Pieces of the horizontal ones as they run. */
  readonly traces: readonly TracedRule[];
  /** 1 for every pixel of a line. */
  readonly mask: Uint8Array;
  /** The ink without the lines. */
  readonly text: Ink;
}

/** Ink so much darker than a rule, on it and on both sides, is print over it, and stays: of the rule's darkness, and of 255. */
const OVER_RULE = { times: 1.3, more: 15 };
/**
 * Ink darker than this is print, even near other ink, up to the length of a letter's stroke in letter heights: a pale rule may lie under
 * its length.
 */
const ALONG_RULE = { times: 2, more: 40, maxLength: 1.3 };
/** Gap that a scratched or dotted line may have. */
const MAX_GAP = 3;

/** In pixels. */
export interface LineLimits {
  readonly minHorizontal: number;
  readonly minVertical: number;
  readonly maxThickness: number;
  readonly letterHeight: number;
  /** Whether the rules across the page waver, as those of curled paper that was pulled flat. */
  readonly wavering: boolean;
}

/**
 * Finds long thin runs of ink that stand alone, and joins them to straight lines.
 * @param flat the page's levels, on even paper.
 * @param thin ink that takes in light gray rules; letters in it may have grown together.
 * @param text ink of letters, from which the lines are taken out.
 */
export function findRuledLines(flat: Raster, thin: TopHatInk, text: Ink, limits: LineLimits): RuledLines {
  const { width, height } = text;
  const horizontal = tracesOf(thin.horizontal, flat, limits.minHorizontal, thin.vertical, limits, (line) =>
    isRowRule(line, flat, limits.letterHeight),
  );
  const { transposed } = thin;
  const vertical = tracesOf(
    transposed.vertical,
    transposed.page,
    limits.minVertical,
    transposed.horizontal,
    { ...limits, wavering: false },
    (line) => isColumnRule(line, transposed.page, text, limits.letterHeight),
  );
  const mask = transpose(vertical.mask, height, width);
  const across = horizontal.mask;
  const over = { across: horizontal.over, down: vertical.over };
  const bits = text.bits.slice();
  forInk(across, (i) => {
    mask[i] = 1;
  });
  // Where two rules cross they are darker than either.
  forInk(over.across, (i) => {
    if (over.down[(i % width) * height + Math.floor(i / width)]) mask[i] = 1;
  });
  forInk(mask, (i) => {
    bits[i] = 0;
  });
  return {
    horizontal: horizontal.lines,
    vertical: vertical.lines,
    traces: horizontal.traces,
    mask,
    text: { ...text, bits },
  };
}

function tracesOf(
  ink: Ink,
  flat: Raster,
  minLength: number,
  across: Ink,
  { maxThickness, letterHeight, wavering }: LineLimits,
  isRule: (line: TracedLine) => boolean,
): { lines: RuledLine[]; traces: TracedRule[]; mask: Uint8Array; over: Uint8Array } {
  const { width, height, bits } = ink;
  const { pixels } = flat;
  const runs: Run[] = [];
  const fours = foursOf(bits);
  for (let y = 0; y < height; y++) collectRuns(bits, fours, width, y, minLength, runs);
  const mask = new Uint8Array(bits.length);
  const over = new Uint8Array(bits.length);
  const lines: RuledLine[] = [];
  const traces: TracedRule[] = [];
  const thin = joinRuns(runs).flatMap((group) => {
    const line = fitLine(group);
    if (line.thickness > maxThickness || line.to - line.from < minLength * 1.3) return [];
    return { ...line, path: pathOf(group, line), group };
  });
  const accepted = new Set(thin.filter(isRule));
  const straight = straightRules([...accepted], across, letterHeight);
  const rejected = thin.filter((line) => !accepted.has(line));
  const rules = [...straight, ...atEvenSpaces(rejected, straight, flat, letterHeight)];
  for (const rule of rules) {
    const { group, ...traced } = wavering ? followEnds(rule, ink, minLength, MAX_GAP) : rule;
    const { path: _, ...line } = traced;
    const darkness = darknessOf(traced, flat);
    lines.push({ ...line, darkness, ink: inkOf(traced, flat) });
    traces.push({ ...traced, darkness });
    const darkest = 255 - OVER_RULE.times * darkness - OVER_RULE.more;
    const isPrint = (i: number) => (pixels[i] ?? 255) < darkest;
    const beyond = (Math.ceil(line.thickness / 2) + 1) * width;
    const strokes = {
      limit: 255 - ALONG_RULE.times * darkness - ALONG_RULE.more,
      maxLength: ALONG_RULE.maxLength * letterHeight,
    };
    for (const run of group) {
      const { y } = run;
      const [from, to] = [Math.max(run.from, line.from), Math.min(run.to, line.to)];
      const end = y * width + to;
      for (let i = y * width + from; i < end; i++)
        (isPrint(i) && isPrint(i - beyond) && isPrint(i + beyond) ? over : mask)[i] = 1;
      markStrokes(pixels, y * width + from, end, strokes, over, mask);
    }
    if (wavering) takeWhole(traced, ink, isPrint, mask);
  }
  return { lines: mergeCollinear(lines, minLength), traces, mask: thicken(mask, bits, width, height), over };
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

function collectRuns(
  bits: Uint8Array,
  fours: Uint32Array,
  width: number,
  y: number,
  minLength: number,
  runs: Run[],
): void {
  const row = y * width;
  const end = row + width;
  for (let i = nextInk(bits, fours, row, end); i < end; ) {
    const from = i;
    let to = i;
    let count = 0;
    while (i < end && i <= to + MAX_GAP) {
      const start = i;
      while (i < end && bits[i]) i++;
      to = i;
      count += to - start;
      i = nextInk(bits, fours, to, end);
    }
    if (to - from >= minLength && count >= 0.8 * (to - from)) runs.push({ y, from: from - row, to: to - row });
  }
}

/** Runs that touch, allowing for a step of one pixel sideways and a short gap, belong to one line. */
function joinRuns(runs: readonly Run[]): Run[][] {
  const parent = runs.map((_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!;
    return root;
  };
  const byRow = new Map<number, number[]>();
  runs.forEach((run, index) => {
    for (const y of [run.y - 1, run.y])
      for (const other of byRow.get(y) ?? []) {
        const candidate = runs[other]!;
        if (candidate.from <= run.to + MAX_GAP && run.from <= candidate.to + MAX_GAP) parent[find(other)] = find(index);
      }
    const row = byRow.get(run.y);
    if (row) row.push(index);
    else byRow.set(run.y, [index]);
  });
  const groups = new Map<number, Run[]>();
  runs.forEach((run, index) => {
    const root = find(index);
    const group = groups.get(root);
    if (group) group.push(run);
    else groups.set(root, [run]);
  });
  return [...groups.values()];
}

/** Height of the line at every position from its beginning: paper bends, and its rules with it. */
function pathOf(group: readonly Run[], line: RuledLine): Float64Array {
  const sums = new Float64Array(line.to - line.from);
  const counts = new Uint32Array(line.to - line.from);
  for (const { y, from, to } of group)
    for (let x = from - line.from; x < to - line.from; x++) {
      sums[x]! += y;
      counts[x]!++;
    }
  return sums.map((sum, x) => (counts[x]! > 0 ? sum / counts[x]! : at(line, line.from + x)));
}

/** Least squares over the runs, weighted by their length. */
function fitLine(group: readonly Run[]): RuledLine {
  let weight = 0;
  let sumX = 0;
  let sumY = 0;
  let sumXX = 0;
  let sumXY = 0;
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const run of group) {
    const length = run.to - run.from;
    const middle = (run.from + run.to) / 2;
    weight += length;
    sumX += length * middle;
    sumY += length * run.y;
    sumXX += length * (middle * middle + (length * length) / 12);
    sumXY += length * middle * run.y;
    from = Math.min(from, run.from);
    to = Math.max(to, run.to);
  }
  const thickness = weight / (to - from);
  const spread = sumXX / weight - (sumX / weight) ** 2;
  const slope = spread > 0 ? (sumXY / weight - (sumX / weight) * (sumY / weight)) / spread : 0;
  return { from, to, slope, at: sumY / weight - slope * (sumX / weight), thickness };
}

/** Joins pieces of one line that gaps had cut apart. */
function mergeCollinear(lines: readonly RuledLine[], maxGap: number): RuledLine[] {
  const merged: RuledLine[] = [];
  for (const line of [...lines].sort((a, b) => a.from - b.from)) {
    const index = merged.findIndex((other) => {
      const position = seam(line, other);
      const apart = Math.abs(at(line, position) - at(other, position));
      return line.from - other.to <= maxGap && apart <= seamTolerance(line, other) && isAsDark(line, other);
    });
    if (index < 0) merged.push(line);
    else merged[index] = join(merged[index]!, line);
  }
  return merged;
}

/** The frame around part of a window continues where another grid's pale rule ends: these are two lines. */
const ALIKE = 0.4;

function isAsDark(a: RuledLine, b: RuledLine): boolean {
  const [paler, darker] = [a.darkness ?? 0, b.darkness ?? 0].sort((x, y) => x - y);
  return paler! >= ALIKE * darker!;
}

/** How far off each other pieces of one line may lie: crisp hairlines are drawn to the pixel. */
function seamTolerance(a: RuledLine, b: RuledLine): number {
  return Math.max(1.5, Math.min(4, 1.6 * Math.max(a.thickness, b.thickness)));
}

function at(line: RuledLine, position: number): number {
  return line.at + line.slope * position;
}

/** Where two pieces come closest, or the middle of what they share. */
function seam(a: RuledLine, b: RuledLine): number {
  return (Math.max(a.from, b.from) + Math.min(a.to, b.to)) / 2;
}

function join(first: RuledLine, second: RuledLine): RuledLine {
  const from = Math.min(first.from, second.from);
  const to = Math.max(first.to, second.to);
  const thickness = Math.max(first.thickness, second.thickness);
  const darkness = Math.max(first.darkness ?? 0, second.darkness ?? 0);
  const ink = Math.max(first.ink ?? 0, second.ink ?? 0);
  const breaks = [...breaksBeside(first, second), ...breaksBeside(second, first)];
  if (second.from < first.to) {
    const longer = second.to - second.from > first.to - first.from ? second : first;
    return { from, to, at: longer.at, slope: longer.slope, thickness, darkness, ink, breaks };
  }
  breaks.push({ from: first.to, to: second.from });
  const slope = (at(second, to) - at(first, from)) / (to - from);
  return { from, to, at: at(first, from) - slope * from, slope, thickness, darkness, ink, breaks };
}

/** Gaps of a line that another one of the same place does not close. */
function breaksBeside({ breaks = [] }: RuledLine, other: Span): readonly Span[] {
  return breaks.filter(({ from, to }) => to <= other.from || from >= other.to);
}

/** In pixels more than its thickness: how far the ink of a rule goes across it. */
const EDGES = 2;

/** Includes remnants of a wavering rule above and below a run; larger ink across it is a letter. */
function takeWhole(
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
function thicken(mask: Uint8Array, bits: Uint8Array, width: number, height: number): Uint8Array {
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
