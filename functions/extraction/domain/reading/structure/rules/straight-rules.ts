import { medianOf } from '../../../median.ts';
import type { Ink } from '../ink/ink.ts';
import type { TracedLine } from './rule-evidence.ts';

/** In letter heights: shorter lines say little of a page's rules. */
const LONG = 8;
/** Fewer of them say nothing. */
const MIN_RULES = 6;
/** In pixels: maximum rise of a rule relative to its page's rules, from end to end, and maximum offset of its middle from its ends. */
const MAX_DROP = 1.5;
const MAX_SAG = 1.5;
/** In pixels a pixel: so little is no rise, however long a rule is. */
const MIN_SLOPE = 0.004;
/** Maximum share of bent lines among the long ones. With more, the paper itself is bent. */
const MAX_BENT = 0.15;
/** In letter heights: how near a line's end another one crosses its way, and how far that one is followed to both sides. */
const MEETING = { near: 0.6, far: 1.2 };
/** Part of that way along which it is seen. */
const MIN_SEEN = 0.8;
/** Part of a line's length over which an end or the middle is averaged. */
const END = 0.1;

/**
 * Lines that may be ruled: straight in one direction, as far as the paper is flat, and ending at crossing lines. A pen's ring around
 * print has long flat pieces too, but they rise or bend and end anywhere.
 * @param across thin ink that crosses the lines.
 */
export function straightRules<Line extends TracedLine>(
  lines: readonly Line[],
  across: Ink,
  letterHeight: number,
): readonly Line[] {
  const long = lines.filter(({ from, to }) => to - from >= LONG * letterHeight);
  if (long.length < MIN_RULES) return lines;
  const slope = medianOf(long.map((line) => line.slope));
  const isStraight = (line: Line) => {
    const rise = Math.abs(line.slope - slope);
    return sagOf(line) <= MAX_SAG && (rise <= MIN_SLOPE || rise * (line.to - line.from) <= MAX_DROP);
  };
  const bent = long.filter((line) => !isStraight(line));
  if (bent.length > MAX_BENT * long.length) return lines;
  return lines.filter((line) => isStraight(line) || meetsAtBothEnds(line, across, letterHeight));
}

function meetsAtBothEnds({ from, to, path }: TracedLine, across: Ink, letterHeight: number): boolean {
  return isCrossed(from, path[0]!, across, letterHeight) && isCrossed(to, path.at(-1)!, across, letterHeight);
}

function isCrossed(x: number, y: number, { width, height, bits }: Ink, letterHeight: number): boolean {
  const [near, far] = [Math.round(MEETING.near * letterHeight), Math.round(MEETING.far * letterHeight)];
  const [top, bottom] = [Math.max(0, Math.round(y) - far), Math.min(height, Math.round(y) + far)];
  for (const [start, end] of [
    [top, Math.round(y)],
    [Math.round(y), bottom],
  ] as const)
    for (let column = Math.max(0, x - near); column < Math.min(width, x + near); column++) {
      let seen = 0;
      for (let row = start; row < end; row++) seen += bits[row * width + column]!;
      if (end > start && seen >= MIN_SEEN * (end - start)) return true;
    }
  return false;
}

/** Offset of a line's middle from the middle between its ends, in pixels. */
function sagOf({ path }: TracedLine): number {
  const part = Math.max(1, Math.round(END * path.length));
  const mean = (from: number) => path.slice(from, from + part).reduce((sum, at) => sum + at, 0) / part;
  return Math.abs(mean((path.length - part) >> 1) - (mean(0) + mean(path.length - part)) / 2);
}
