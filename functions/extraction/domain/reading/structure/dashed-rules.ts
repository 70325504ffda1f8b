import type { Component } from './components.ts';
import type { RuledLine } from './ruled-lines.ts';

export interface DashedRules {
  readonly rules: readonly RuledLine[];
  /** What they are made of. */
  readonly dashes: ReadonlySet<Component>;
}

/** In letter heights: a dash is flat and short, and the next one is near, on a level with it. */
const DASH = { height: 0.25, minHeight: 3, width: 1.2, gap: 1, drop: 0.15 };
/** Fewer dashes in a row are marks of a text. */
const MIN_DASHES = 12;
/** In letter heights. */
const MIN_LENGTH = 12;

/** Rules across the page that a form draws as rows of dashes or dots. */
export function findDashedRules(components: readonly Component[], letterHeight: number): DashedRules {
  const flat = components
    .filter(({ left, right, top, bottom }) => {
      const height = bottom - top;
      return (
        height <= Math.max(DASH.minHeight, DASH.height * letterHeight) && right - left <= DASH.width * letterHeight
      );
    })
    .sort((a, b) => a.left - b.left);
  const open: Component[][] = [];
  const rows: Component[][] = [];
  for (const dash of flat) {
    for (let i = open.length - 1; i >= 0; i--)
      if (dash.left - open[i]!.at(-1)!.right > DASH.gap * letterHeight) rows.push(...open.splice(i, 1));
    const row = open.find(
      (each) => Math.abs(middle(each.at(-1)!) - middle(dash)) <= Math.max(1, DASH.drop * letterHeight),
    );
    if (row) row.push(dash);
    else open.push([dash]);
  }
  const rules = [...rows, ...open].filter(
    (row) => row.length >= MIN_DASHES && row.at(-1)!.right - row[0]!.left >= MIN_LENGTH * letterHeight,
  );
  return { rules: rules.map(toRule), dashes: new Set(rules.flat()) };
}

function middle({ top, bottom }: Component): number {
  return (top + bottom) / 2;
}

function toRule(row: readonly Component[]): RuledLine {
  const [first, last] = [row[0]!, row.at(-1)!];
  const slope = (middle(last) - middle(first)) / Math.max(1, last.left - first.left);
  return { from: first.left, to: last.right, at: middle(first) - slope * first.left, slope, thickness: 1 };
}
