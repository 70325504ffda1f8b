import type { Ink } from '../ink/ink.ts';
import { foursOf, nextInk } from '../ink/next-ink.ts';
import type { RuledLine, Span, TracedLine } from './ruled-line.ts';

/** Gap that a scratched or dotted line may have. */
const MAX_GAP = 3;

/** Pixels of one row: from `from` up to, not including, `to`. */
interface Run {
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/** Long thin lines across the page, in pixels. */
export function tracedLines(ink: Ink, minLength: number, maxThickness: number): readonly TracedLine[] {
  const runs: Run[] = [];
  const fours = foursOf(ink.bits);
  for (let y = 0; y < ink.height; y++) collectRuns(ink.bits, fours, ink.width, y, minLength, runs);
  return joinRuns(runs).flatMap((group) => {
    const line = fitLine(group);
    if (line.thickness > maxThickness || line.to - line.from < minLength * 1.3) return [];
    return { ...line, path: pathOf(group, line) };
  });
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

/** Height of the line at every position from its start: paper bends, and its rules with it. */
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
export function mergeCollinear(lines: readonly RuledLine[], maxGap: number): RuledLine[] {
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
  const breaks = [...breaksBeside(first, second), ...breaksBeside(second, first)];
  if (second.from < first.to) {
    const longer = second.to - second.from > first.to - first.from ? second : first;
    return { from, to, at: longer.at, slope: longer.slope, thickness, darkness, breaks };
  }
  breaks.push({ from: first.to, to: second.from });
  const slope = (at(second, to) - at(first, from)) / (to - from);
  return { from, to, at: at(first, from) - slope * from, slope, thickness, darkness, breaks };
}

/** Gaps of a line that another one of the same place does not close. */
function breaksBeside({ breaks = [] }: RuledLine, other: Span): readonly Span[] {
  return breaks.filter(({ from, to }) => to <= other.from || from >= other.to);
}
