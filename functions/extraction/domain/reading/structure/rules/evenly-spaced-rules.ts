import type { Raster } from '../../raster.ts';
import { middleOf, positionAt } from '../tables/grid.ts';
import { isAsLong } from './rule-ends.ts';
import { darknessOf, type TracedLine } from './rule-evidence.ts';

/** In letter heights: a shorter line is no rule of a list's rows, and pieces so near to one height are one rule. */
const MIN_LENGTH = 12;
const ONE_RULE = 0.3;
/** In letter heights: rules of one list begin and end no farther apart, from one to the next. */
const SAME_ENDS = 0.5;
/** In letter heights, from one row's rule to the next. */
const PITCH = { min: 1.2, max: 4 };
/** How far a distance may be from the pitch, of the pitch; and how many rows of it say that a list is ruled so. */
const SAME = 0.06;
const MIN_ROWS = 3;
/** Maximum number of consecutive missing rules. */
const MAX_MISSING = 4;
/** Part of its length along which a rule is darker than the paper above and below it, by so much of what its neighbours are. */
const SEEN = { share: 0.4, darkness: 0.25 };
/** In pixels beyond a rule's own thickness: where its paper is looked at. */
const BESIDE = 2;
/** In pixels: how far ink that is taken for a rule may be from its place. */
const OFF = 2;

type Line = Pick<TracedLine, 'from' | 'to' | 'at' | 'slope'>;

/**
 * Recovers rejected lines at places where a list's next rule is due: row rules are evenly spaced, and remain visible even where print, a
 * stamp or a pen's stroke lies along one.
 * @returns lines no longer than the rules above and below them.
 */
export function atEvenSpaces<Traced extends TracedLine>(
  lines: readonly Traced[],
  rules: readonly TracedLine[],
  flat: Raster,
  letterHeight: number,
): readonly Traced[] {
  const missing = missingRules(rules, flat, letterHeight);
  return lines.flatMap((line) => {
    const x = middleOf(line);
    const y = positionAt(line, x);
    const place = missing.find((rule) => x > rule.from && x < rule.to && Math.abs(positionAt(rule, x) - y) <= OFF);
    return place ? [within(place, line)] : [];
  });
}

/** A pen's stroke that runs into a rule extends beyond its ends. */
function within<Traced extends TracedLine>(place: Line, line: Traced): Traced {
  const from = Math.max(line.from, place.from);
  const to = Math.min(line.to, place.to);
  return { ...line, from, to, path: line.path.slice(from - line.from, to - line.from) };
}

/** Places between all rules, and between those of each list: rules of the paper's other side may lie between its own. */
function missingRules(rules: readonly TracedLine[], flat: Raster, letterHeight: number): readonly Line[] {
  const rows = rowsOf(rules, letterHeight);
  return [rows, ...listsOf(rows, letterHeight)].flatMap((list) => missingBetween(list, flat, letterHeight));
}

/** Rows that begin and end together, top to bottom. */
function listsOf(rows: readonly TracedLine[], letterHeight: number): readonly (readonly TracedLine[])[] {
  const lists: TracedLine[][] = [];
  for (const row of rows) {
    const list = lists.find((each) => isAsLong(each.at(-1)!, row, SAME_ENDS * letterHeight));
    if (list) list.push(row);
    else lists.push([row]);
  }
  return lists;
}

function missingBetween(rows: readonly TracedLine[], flat: Raster, letterHeight: number): readonly Line[] {
  const spaces = rows.slice(1).map((row, index) => heightOf(row) - heightOf(rows[index]!));
  const pitch = commonest(
    spaces.filter((space) => space >= PITCH.min * letterHeight && space <= PITCH.max * letterHeight),
  );
  if (pitch === null) return [];
  return spaces.flatMap((space, index) => {
    const [above, below] = [rows[index]!, rows[index + 1]!];
    const count = Math.round(space / pitch);
    const isEven = Math.abs(space - count * pitch) <= SAME * pitch * Math.sqrt(count);
    if (count < 2 || count > MAX_MISSING + 1 || !isEven) return [];
    const depth = SEEN.darkness * Math.min(darknessOf(above, flat), darknessOf(below, flat));
    const between = Array.from({ length: count - 1 }, (_, n) => lineBetween(above, below, (n + 1) / count));
    return between.filter((line) => {
      const isLong = line.to - line.from >= MIN_LENGTH * letterHeight;
      return isLong && seenShare(line, flat, above.thickness, depth) >= SEEN.share;
    });
  });
}

/** Rules across the page, top to bottom; the pieces of each are aligned with its longest. */
function rowsOf(rules: readonly TracedLine[], letterHeight: number): readonly TracedLine[] {
  const rows: TracedLine[] = [];
  for (const rule of [...rules].sort((a, b) => heightOf(a) - heightOf(b))) {
    const last = rows.at(-1);
    if (last && heightOf(rule) - heightOf(last) < ONE_RULE * letterHeight) {
      const longer = rule.to - rule.from > last.to - last.from ? rule : last;
      rows[rows.length - 1] = { ...longer, from: Math.min(rule.from, last.from), to: Math.max(rule.to, last.to) };
    } else rows.push(rule);
  }
  return rows.filter(({ from, to }) => to - from >= MIN_LENGTH * letterHeight);
}

function heightOf(line: Line): number {
  return positionAt(line, middleOf(line));
}

/** The mean of the distances that most of them are like; null where too few are. */
function commonest(spaces: readonly number[]): number | null {
  let best: readonly number[] = [];
  for (const space of spaces) {
    const like = spaces.filter((other) => Math.abs(other - space) <= SAME * space);
    if (like.length > best.length) best = like;
  }
  return best.length < MIN_ROWS ? null : best.reduce((sum, space) => sum + space, 0) / best.length;
}

/** @param part of the way from the upper one down. */
function lineBetween(above: Line, below: Line, part: number): Line {
  return {
    from: Math.max(above.from, below.from),
    to: Math.min(above.to, below.to),
    at: above.at + (below.at - above.at) * part,
    slope: above.slope + (below.slope - above.slope) * part,
  };
}

function seenShare(line: Line, { width, height, pixels }: Raster, thickness: number, depth: number): number {
  const away = Math.ceil(thickness / 2) + BESIDE;
  let seen = 0;
  for (let x = line.from; x < line.to; x++) {
    const y = Math.round(positionAt(line, x));
    if (y < away || y + away >= height) continue;
    const paper = Math.min(pixels[(y - away) * width + x]!, pixels[(y + away) * width + x]!);
    const own = Math.min(pixels[(y - 1) * width + x]!, pixels[y * width + x]!, pixels[(y + 1) * width + x]!);
    if (own + depth < paper) seen++;
  }
  return seen / (line.to - line.from);
}
