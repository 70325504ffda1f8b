import type { Ink } from '../ink/ink.ts';
import type { TracedLine } from './rule-evidence.ts';

/** Ink of one row of pixels: from `from` up to, not including, `to`. */
export interface Run {
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Extends a wavering rule at its ends: where it changes its pixel row more often than the length of a run, no run was found. Each end is
 * followed pixel by pixel, one row up or down at a time.
 * @param most maximum length in pixels: a longer one would have been found.
 * @param maxGap in pixels, for a scratched rule.
 */
export function followEnds<Line extends TracedLine & { readonly group: readonly Run[] }>(
  line: Line,
  ink: Ink,
  most: number,
  maxGap: number,
): Line {
  const before = followed(ink, line.from - 1, line.path[0]!, -1, most, maxGap).reverse();
  const after = followed(ink, line.to, line.path.at(-1)!, 1, most, maxGap);
  if (before.length + after.length === 0) return line;
  const runs = [...before, ...after].map(({ x, y }): Run => ({ y, from: x, to: x + 1 }));
  const from = before[0]?.x ?? line.from;
  const to = (after.at(-1)?.x ?? line.to - 1) + 1;
  const path = new Float64Array(to - from);
  fill(path.subarray(0, line.from - from), before, from);
  path.set(line.path, line.from - from);
  fill(path.subarray(line.to - from), after, line.to, line.path.at(-1)!);
  return { ...line, from, to, path, group: [...line.group, ...runs] };
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function followed(
  { width, height, bits }: Ink,
  start: number,
  startY: number,
  step: -1 | 1,
  most: number,
  maxGap: number,
): Place[] {
  const places: Place[] = [];
  let y = Math.round(startY);
  let gap = 0;
  for (let x = start; x >= 0 && x < width && Math.abs(x - start) < most && gap <= maxGap; x += step) {
    const next = [y, y - 1, y + 1].find((at) => at >= 0 && at < height && bits[at * width + x] === 1);
    if (next === undefined) gap++;
    else {
      gap = 0;
      y = next;
      places.push({ x, y });
    }
  }
  return places;
}

/** Gaps between the places take the height of the place to their left. */
function fill(path: Float64Array, places: readonly Place[], from: number, left = 0): void {
  let next = 0;
  let last = left;
  for (let at = 0; at < path.length; at++) {
    if (places[next]?.x === from + at) last = places[next++]!.y;
    path[at] = last;
  }
}
