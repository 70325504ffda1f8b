import type { Raster } from '../../raster.ts';
import { transpose } from '../../transpose.ts';
import type { TopHatInk } from '../ink/black-top-hat.ts';
import type { Ink } from '../ink/ink.ts';
import { forInk } from '../ink/next-ink.ts';
import { followEnds } from './follow-ends.ts';
import { darknessOf, isColumnRule, isRowRule, type TracedLine } from './rule-evidence.ts';
import { markRuns, type RulePixels, takeWhole, thicken } from './rule-pixels.ts';
import { MAX_GAP, mergeCollinear, tracedLines } from './traced-lines.ts';

/** A straight ruled line: along its axis from `from` to `to`; across it at `at + slope · position`. */
export interface RuledLine {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly slope: number;
  readonly thickness: number;
  /** How much darker than the paper it is, of 255; absent where it is not known. */
  readonly darkness?: number;
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
  const horizontal = tracesOf(thin.horizontal, flat, limits.minHorizontal, limits, (line) =>
    isRowRule(line, flat, limits.letterHeight),
  );
  const { transposed } = thin;
  const vertical = tracesOf(
    transposed.vertical,
    transposed.page,
    limits.minVertical,
    { ...limits, wavering: false },
    (line) => isColumnRule(line, transposed.page, text, limits.letterHeight),
  );
  return onPage(horizontal, vertical, text);
}

/** Rules of one direction, as if they ran across the page. */
export interface Rules extends RulePixels {
  readonly lines: readonly RuledLine[];
  readonly traces: readonly TracedRule[];
}

/** @param vertical found on the page with rows and columns exchanged. */
export function onPage(horizontal: Rules, vertical: Rules, text: Ink): RuledLines {
  const { width, height } = text;
  const mask = transpose(vertical.mask, height, width);
  const bits = text.bits.slice();
  forInk(horizontal.mask, (i) => {
    mask[i] = 1;
  });
  // Where two rules cross they are darker than either.
  forInk(horizontal.over, (i) => {
    if (vertical.over[(i % width) * height + Math.floor(i / width)]) mask[i] = 1;
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
  { maxThickness, letterHeight, wavering }: LineLimits,
  isRule: (line: TracedLine) => boolean,
): Rules {
  const { width, height, bits } = ink;
  const mask = new Uint8Array(bits.length);
  const over = new Uint8Array(bits.length);
  const lines: RuledLine[] = [];
  const traces: TracedRule[] = [];
  for (const rule of tracedLines(ink, minLength, maxThickness).filter(isRule)) {
    const line = wavering ? followEnds(rule, ink, minLength, MAX_GAP) : rule;
    const { group: _, ...traced } = line;
    const { path: __, ...straightened } = traced;
    const darkness = darknessOf(traced, flat);
    lines.push({ ...straightened, darkness });
    traces.push({ ...traced, darkness });
    const isPrint = markRuns(line, darkness, flat, letterHeight, { mask, over });
    if (wavering) takeWhole(traced, ink, isPrint, mask);
  }
  return { lines: mergeCollinear(lines, minLength), traces, mask: thicken(mask, bits, width, height), over };
}
