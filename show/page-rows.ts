import type { Item, JudgedPage, TrafficLight } from '../functions/extraction/domain/extraction.ts';
import { textsOf } from '../functions/extraction/domain/line-places.ts';
import { alignRows } from '../functions/extraction/domain/reading/align-tables.ts';
import type { Box, PageReading, ReadCell } from '../functions/extraction/domain/reading/table-reader.ts';

/** A row of any of the page's tables. */
export interface PageRow {
  readonly cells: readonly ReadCell[];
  readonly box: Box;
  /** The line that was read from it; null for headers, totals and rows without a drug. */
  readonly item: Item | null;
}

/** The rows of a page's tables, each with the line that it gave. */
export function pageRows({ tables }: PageReading, { items }: JudgedPage): readonly PageRow[] {
  const rows = tables.flatMap(({ cells, rowCount }) =>
    Array.from({ length: rowCount }, (_, row) => cells.filter((cell) => cell.row === row)).filter(
      ({ length }) => length > 0,
    ),
  );
  const partners = alignRows(items.map(textsOf), rows);
  const itemOf = new Map(partners.flatMap((row, index) => (row === null ? [] : [[row, items[index]!] as const])));
  return rows.map((cells, index) => ({ cells, box: around(cells), item: itemOf.get(index) ?? null }));
}

export function lightOf({ item }: PageRow): TrafficLight | null {
  return item?.status ?? null;
}

function around(cells: readonly ReadCell[]): Box {
  const x = Math.min(...cells.map(({ box }) => box.x));
  const y = Math.min(...cells.map(({ box }) => box.y));
  return {
    x,
    y,
    width: Math.max(...cells.map(({ box }) => box.x + box.width)) - x,
    height: Math.max(...cells.map(({ box }) => box.y + box.height)) - y,
  };
}
