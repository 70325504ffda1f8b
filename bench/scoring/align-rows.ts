import type { Item } from '../../functions/extraction/domain/extraction.ts';
import { editDistances } from '../../functions/extraction/domain/text/edit-distance.ts';
import type { ItemValues } from '../corpus/truth.ts';
import { comparedName, NUMERIC_FIELDS } from './values.ts';

/** A line of the answer and its row of the sheet; null: missed, or extra. */
export interface RowPair {
  readonly row: number | null;
  readonly item: number | null;
}

/**
 * Pairs rows and lines in order so that what agrees most comes together: the code first, then name and numbers. A line
 * without any likeness is still paired with the row in its place, since that is the row it was read from.
 */
export function alignRows(
  rows: readonly ItemValues[],
  items: readonly Pick<Item, keyof ItemValues>[],
): readonly RowPair[] {
  const width = items.length + 1;
  const best = new Float64Array((rows.length + 1) * width);
  const likeness = rows.map((row) => items.map((item) => rowLikeness(row, item)));
  for (let i = 1; i <= rows.length; i++)
    for (let j = 1; j <= items.length; j++)
      best[i * width + j] = Math.max(
        best[(i - 1) * width + j - 1]! + likeness[i - 1]![j - 1]!,
        best[(i - 1) * width + j]!,
        best[i * width + j - 1]!,
      );
  const pairs: RowPair[] = [];
  let i = rows.length;
  let j = items.length;
  while (i > 0 || j > 0) {
    const here = best[i * width + j]!;
    if (i > 0 && j > 0 && here === best[(i - 1) * width + j - 1]! + likeness[i - 1]![j - 1]!)
      pairs.push({ row: --i, item: --j });
    else if (i > 0 && (j === 0 || here === best[(i - 1) * width + j]!)) pairs.push({ row: --i, item: null });
    else pairs.push({ row: null, item: --j });
  }
  return pairs.reverse();
}

/** Above 0 for any two lines, so that leftovers pair up; a code counts as much as all the rest. */
function rowLikeness(row: ItemValues, item: Pick<Item, keyof ItemValues>): number {
  const numbers = NUMERIC_FIELDS.filter((field) => row[field] !== null && row[field] === item[field]).length;
  return (
    0.05 +
    7 * textLikeness(row.drugCode, item.drugCode) ** 2 +
    3 * textLikeness(row.drugName, item.drugName) +
    0.6 * numbers
  );
}

function textLikeness(truth: string | null, read: string | null): number {
  const a = comparedName(truth ?? '');
  const b = comparedName(read ?? '');
  if (a === '' || b === '') return 0;
  return 1 - editDistances(a, b).whole / Math.max(a.length, b.length);
}
