import type { Box } from '../../reading/table-reader.ts';
import { overlap } from '../print.ts';

/** Of the lower of two: side by side are those that share so much of their height, and nothing of their width. */
const BESIDE = 0.5;

/** In the order given, but of those that stand side by side the left one first. @param tables top to bottom. */
export function inReadingOrder<T extends { readonly box: Box }>(tables: readonly T[]): readonly T[] {
  const ordered: T[] = [];
  for (const table of tables) {
    const after = ordered.findIndex(({ box }) => isLeftOf(table.box, box));
    ordered.splice(after < 0 ? ordered.length : after, 0, table);
  }
  return ordered;
}

function isLeftOf(a: Box, b: Box): boolean {
  const shared = overlap(a.y, a.y + a.height, b.y, b.y + b.height);
  return a.x + a.width <= b.x && shared > BESIDE * Math.min(a.height, b.height);
}
