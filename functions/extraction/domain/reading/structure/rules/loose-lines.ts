import { positionAt } from '../tables/grid.ts';
import type { Frame } from '../tables/stacked-grids.ts';
import { markDown } from './mark-rules.ts';
import type { RuledLine } from './ruled-lines.ts';

/** In letter heights: maximum offset between pieces of one rule. */
const ONE_RULE = 0.5;

/**
 * Lines down the page that end free inside a frame and lie on none of its rules: a form's rules end at others. In a small or blurred picture digits
 * below each other, or a stroke of a pen, look like one.
 */
export function looseLines(
  vertical: readonly RuledLine[],
  frames: readonly Frame[],
  letterHeight: number,
): readonly RuledLine[] {
  return vertical.filter((line) => {
    if (frames.some((frame) => frame.vertical.includes(line))) return false;
    const frame = frames.find((each) => isInside(line, each));
    return frame !== undefined && !frame.vertical.some((rule) => goesOn(line, rule, ONE_RULE * letterHeight));
  });
}

function isInside({ at, slope, from, to }: RuledLine, { horizontal, vertical }: Frame): boolean {
  const y = (from + to) / 2;
  const x = positionAt({ at, slope }, y);
  const isBetween = (place: number, rules: readonly RuledLine[], along: number) => {
    const places = rules.map((rule) => positionAt(rule, along));
    return place > Math.min(...places) && place < Math.max(...places);
  };
  return isBetween(x, vertical, y) && isBetween(y, horizontal, x);
}

function goesOn(line: RuledLine, rule: RuledLine, slack: number): boolean {
  const middle = (line.from + line.to) / 2;
  return Math.abs(positionAt(line, middle) - positionAt(rule, middle)) <= slack;
}

/** 1 for every pixel that lines down the page may have taken. */
export function marksOf(
  lines: readonly RuledLine[],
  page: { readonly width: number; readonly height: number },
): Uint8Array {
  const marks = new Uint8Array(page.width * page.height);
  for (const line of lines) markDown(line, page, marks);
  return marks;
}
