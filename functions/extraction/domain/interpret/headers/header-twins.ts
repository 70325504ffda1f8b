import { centerX } from '../print.ts';
import { COUNT_FIELDS, type ColumnKind } from './column-kinds.ts';
import type { HeaderCell } from './find-headers.ts';

const NUMBERS: ReadonlySet<ColumnKind> = new Set(COUNT_FIELDS);
/** Part of the distance between two halves by which that of two words of theirs may differ. */
const OFF = 0.03;
/** Words that both halves announce so far apart: one pair alone may be chance. */
const MIN_PAIRS = 2;

/**
 * The words of a header in two halves, with unread ones completed from the other half: both halves print the same words at the same
 * distances.
 */
export function withTwins(cells: readonly HeaderCell[]): readonly HeaderCell[] {
  const distance = distanceOfHalves(cells);
  if (distance === null) return cells;
  return cells.map((cell) => {
    if (cell.match && cell.match.kind !== 'other') return cell;
    const twin = cells.find(
      ({ match, box }) =>
        match && NUMBERS.has(match.kind) && isNear(Math.abs(centerX(box) - centerX(cell.box)), distance),
    );
    return twin ? { ...cell, match: twin.match } : cell;
  });
}

/**
 * Distance of all numbers' words that are announced twice; null without any, if the distances disagree, or if no other word is repeated
 * at the same distance.
 */
function distanceOfHalves(cells: readonly HeaderCell[]): number | null {
  const pairs = cells.flatMap((left, index) =>
    cells.slice(index + 1).flatMap((right) => {
      const kind = left.match?.kind;
      return kind && kind === right.match?.kind ? [{ kind, distance: centerX(right.box) - centerX(left.box) }] : [];
    }),
  );
  const numbers = pairs.filter(({ kind }) => NUMBERS.has(kind));
  const [first] = numbers;
  if (!first || !numbers.every(({ distance }) => isNear(distance, first.distance))) return null;
  return pairs.filter(({ distance }) => isNear(distance, first.distance)).length < MIN_PAIRS ? null : first.distance;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < OFF * b;
}
