import type { Raster } from '../../raster.ts';
import { transpose } from '../../transpose.ts';
import type { TopHatInk } from '../ink/black-top-hat.ts';
import type { Ink } from '../ink/ink.ts';
import { forInk } from '../ink/next-ink.ts';
import type { Layout } from '../layout.ts';
import { darknessOf, markRule, printedRule, type RulePixels, thicken } from './rule-ink.ts';
import type { RuledLine, TracedLine } from './ruled-line.ts';
import { mergeCollinear, tracedLines } from './traced-lines.ts';

/** In letter heights: gap between pieces of one rule. */
const MAX_GAP = 1.5;

/** A rule as it runs. */
export interface TracedRule extends TracedLine {
  /** How much darker than the paper it is, of 255. */
  readonly darkness: number;
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
}

/**
 * The rules that the layout shows, as lines.
 * @param flat the page's levels, on even paper.
 * @param thin ink that takes in light gray rules: what of it lies along a rule is the rule's.
 * @param text ink of letters, from which the lines are taken out.
 */
export function findRuledLines(
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
  for (const shownRule of tracedLines(shown, minLength, maxThickness)) {
    const rule = printedRule(shownRule, printed);
    const darkness = darknessOf(rule.line, flat);
    const { path: _, ...straightened } = rule.line;
    lines.push({ ...straightened, darkness });
    traces.push({ ...rule.line, darkness });
    markRule(rule, darkness, letterHeight, flat, { mask, over });
  }
  return {
    lines: mergeCollinear(lines, MAX_GAP * letterHeight),
    traces,
    mask: thicken(mask, printed.bits, width, height),
    over,
  };
}

/** Rules of one direction, as if they ran across the page. */
interface Rules extends RulePixels {
  readonly lines: readonly RuledLine[];
  readonly traces: readonly TracedRule[];
}

/** @param vertical found on the page with rows and columns exchanged. */
function onPage(horizontal: Rules, vertical: Rules, text: Ink): RuledLines {
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
