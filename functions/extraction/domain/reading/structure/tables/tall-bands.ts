import { type Separator, undrawn } from './grid.ts';
import { filledShare, findTextRows, within } from './text-rows.ts';
import type { Word } from './words.ts';

/** Between two lines of print. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/**
 * If a rule was missed, a band holds two rows: two lines that fill most columns and have the distance of rows. The lines of a wrapped
 * cell fill few columns, and those of a header are closer.
 */
export function splitTallBands(
  rows: readonly Separator[],
  columns: readonly Separator[],
  words: readonly Word[],
  letterHeight: number,
): readonly Separator[] {
  const heights = rows.slice(1).map((row, index) => row.at - rows[index]!.at);
  const apart = Math.max(1.4 * letterHeight, Math.min(0.85 * Math.min(...heights), 3 * letterHeight));
  const borders = columns.map(({ at }) => at);
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    if (!next || next.at - row.at < 2 * apart) return [row];
    const band = words.filter((word) => {
      const center = (word.top + word.bottom) / 2;
      return center > row.at && center < next.at;
    });
    const full = findTextRows(band, letterHeight).filter((line) => filledShare(line, borders) >= 0.5);
    const gaps = full
      .slice(1)
      .map((line, n) => ({ above: full[n]!, line }))
      .filter(({ above, line }) => (line.top + line.bottom - above.top - above.bottom) / 2 >= apart)
      .map(({ above, line }) => ({ from: above.bottom, to: line.top }));
    if (gaps.length === 0) return [row];
    const outer = { from: full[0]!.top, to: full.at(-1)!.bottom };
    return [row, ...bordersWithin(gaps, outer, band, borders).map((at) => undrawn(at, row.slope))];
  });
}

/**
 * Half way from one row's line to the next one's. Other lines may lie there, such as codes below their names; the band's ends show which
 * row they belong to: nothing is above the first row's line, or nothing below the last one's. Otherwise the nearer row counts.
 */
function bordersWithin(
  gaps: readonly Gap[],
  outer: Gap,
  band: readonly Word[],
  borders: readonly number[],
): readonly number[] {
  const middles = gaps.map(middleOf);
  const columns = borders
    .slice(1)
    .map((right, n) => band.filter((word) => within((word.left + word.right) / 2, borders[n]!, right)))
    .map((words) => ({ words, rooms: middles.map((middle) => roomBeside(middle, words)) }));
  const cut = columns.reduce((most, column) => (cutsOf(column) > cutsOf(most) ? column : most));
  const leads = cut.words.some(({ bottom }) => bottom <= outer.from);
  const trails = cut.words.some(({ top }) => top >= outer.to);
  const nearerBelow = cut.rooms.reduce(
    (sum, room) => sum + (room ? heightOf(room.above) - heightOf(room.below) : 0),
    0,
  );
  const ofNext = leads === trails ? nearerBelow > 0 : leads;
  return middles.map((middle, n) => {
    const room = cut.rooms[n];
    return room ? middleOf(ofNext ? room.above : room.below) : middle;
  });
}

function cutsOf({ rooms }: { readonly rooms: readonly unknown[] }): number {
  return rooms.filter(Boolean).length;
}

/** The white above and below the word of a column at a height; null without a word there, or without one above or below it. */
function roomBeside(y: number, column: readonly Word[]): { readonly above: Gap; readonly below: Gap } | null {
  let [above, top, bottom, below] = [-Infinity, Infinity, -Infinity, Infinity];
  // One pass: a page may have a hundred thousand words.
  for (const word of column)
    if (word.bottom <= y) above = Math.max(above, word.bottom);
    else if (word.top >= y) below = Math.min(below, word.top);
    else [top, bottom] = [Math.min(top, word.top), Math.max(bottom, word.bottom)];
  if (top > bottom || above === -Infinity || below === Infinity) return null;
  return { above: { from: above, to: top }, below: { from: bottom, to: below } };
}

function middleOf({ from, to }: Gap): number {
  return (from + to) / 2;
}

function heightOf({ from, to }: Gap): number {
  return to - from;
}
