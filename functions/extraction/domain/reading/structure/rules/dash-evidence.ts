import { medianOf } from '../../../median.ts';

/** A dash as it lies along its rule. */
export interface Dash {
  readonly from: number;
  readonly to: number;
  /** Middle of its thickness. */
  readonly at: number;
  readonly thickness: number;
}

/** In letter heights: white above and below a dash. */
export const ALONE = 0.8;
/** In letter heights: closer ink next to a dash may belong to the same dash, broken by grain. */
const BROKEN = 0.3;
/** Fewer dashes in a row are marks of a text. */
const MIN_DASHES = 12;
/** In letter heights. */
const MIN_LENGTH = { across: 12, down: 8 };
/** Maximum ratio of lengths that count as equal, or a difference of one pixel; shorter ones, in pixels, are equal by chance. */
const ALIKE = { times: 1.3, shortest: 3 };
/** For a form's rule: the minimum share of equal steps between dashes, or of dashes if print hides every other one. */
const EVEN = 0.5;
/** For a rule's remnants: the minimum share of pieces with nothing above or below them. */
const MIN_ALONE = 0.12;
/** In letter heights, from one of them to the next on the average, at most: across the page print may hide all but the last; down it, none hides most. */
const MAX_STEP = { across: Number.POSITIVE_INFINITY, down: 2 };
/** A form with this number of rules of one step has similar rules with few dashes left between letters. */
const LIKE = { rules: 2, dashes: 6, steps: 0.5, times: 1.12 };

/**
 * The rows of dashes that are rules: long ones, and what letters have left of others that are drawn like them.
 * @param inked whether there is ink at a place along the rows and across them.
 */
export function rulesAmong(
  rows: readonly (readonly Dash[])[],
  direction: keyof typeof MIN_LENGTH,
  inked: (along: number, across: number) => boolean,
  letterHeight: number,
): readonly (readonly Dash[])[] {
  const lengthOf = (row: readonly Dash[]) => row.at(-1)!.to - row[0]!.from;
  const isLong = (row: readonly Dash[]) =>
    row.length >= MIN_DASHES && lengthOf(row) >= MIN_LENGTH[direction] * letterHeight;
  const isDense = (row: readonly Dash[]) => lengthOf(row) <= MAX_STEP[direction] * letterHeight * row.length;
  const rules = new Set(
    rows.filter((row) => isLong(row) && (isEven(row) || (isDense(row) && isRemnant(row, inked, letterHeight)))),
  );
  const even = [...rules].filter(isEven);
  const step = even.length < LIKE.rules ? null : medianOf(even.flatMap(stepsOf));
  return rows.filter((row) => rules.has(row) || (step !== null && row.length >= LIKE.dashes && hasStep(row, step)));
}

/** A form draws its dashes evenly; thin parts of small letters in a row are uneven. */
export function isEven(row: readonly Dash[]): boolean {
  return shareAlike(stepsOf(row)) >= EVEN || shareAlike(row.map(({ from, to }) => to - from)) >= EVEN;
}

/** Remnants of a rule also lie between letters. */
function isRemnant(
  row: readonly Dash[],
  inked: (along: number, across: number) => boolean,
  letterHeight: number,
): boolean {
  return row.filter((each) => isAlone(each, inked, letterHeight)).length >= MIN_ALONE * row.length;
}

function isAlone(
  { from, to, at, thickness }: Dash,
  inked: (along: number, across: number) => boolean,
  letterHeight: number,
): boolean {
  const half = (thickness - 1) / 2;
  for (let place = from; place < to; place++)
    for (let away = Math.ceil(BROKEN * letterHeight); away <= ALONE * letterHeight; away++)
      if (inked(place, Math.round(at - half) - away) || inked(place, Math.round(at + half) + away)) return false;
  return true;
}

function isNearStep(each: number, step: number): boolean {
  return Math.abs(each - step) <= Math.max(1, (LIKE.times - 1) * step);
}

function hasStep(row: readonly Dash[], step: number): boolean {
  const like = stepsOf(row).filter((each) => isNearStep(each, step));
  return step >= ALIKE.shortest && like.length >= LIKE.steps * (row.length - 1);
}

/** From a dash to the next, usually. */
export function stepOf(row: readonly Dash[]): number {
  return medianOf(stepsOf(row));
}

/** Where a rule lies across at a place along it, between its dashes too. */
export function heightAt(row: readonly Dash[], place: number): number {
  const index = row.findIndex(({ to }) => to > place);
  if (index < 0) return row.at(-1)!.at;
  const [before, next] = [row[index - 1], row[index]!];
  if (!before || place >= next.from) return next.at;
  return before.at + ((next.at - before.at) * (place - before.to)) / (next.from - before.to);
}

/** From each dash to the next. */
function stepsOf(row: readonly Dash[]): readonly number[] {
  return row.slice(1).map(({ from }, index) => from - row[index]!.from);
}

/** Part of the lengths that are alike, of the largest number of them that are. */
function shareAlike(lengths: readonly number[]): number {
  const sorted = [...lengths].sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, end = 0; first < sorted.length; first++) {
    const least = sorted[first]!;
    if (least < ALIKE.shortest) continue;
    while (end < sorted.length && sorted[end]! <= Math.max(least + 1, ALIKE.times * least)) end++;
    most = Math.max(most, end - first);
  }
  return most / sorted.length;
}
