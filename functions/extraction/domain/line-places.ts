import type { Item, LinePlace } from './extraction.ts';
import { alignRows } from './reading/align-tables.ts';
import { project, rectangleToQuad } from './reading/page/homography.ts';
import type { Box, PageReading } from './reading/table-reader.ts';

/** Places of a page's lines in the upload; null if the reader does not report the page's place in it. */
export function linePlaces(
  { tables, page: { width, height, corners } }: PageReading,
  items: readonly Item[],
): readonly (LinePlace | null)[] | null {
  if (corners === undefined || items.length === 0) return null;
  const toUpload = rectangleToQuad(width, height, corners);
  const rows = tables.flatMap(({ cells, rowCount }) =>
    Array.from({ length: rowCount }, (_, row) => cells.filter((cell) => cell.row === row && !cell.blank)).filter(
      ({ length }) => length > 0,
    ),
  );
  const place = ({ x, y, width: w, height: h }: Box) =>
    [
      { x, y },
      { x: x + w, y },
      { x: x + w, y: y + h },
      { x, y: y + h },
    ].flatMap((corner) => {
      const { x: left, y: top } = project(toUpload, corner);
      return [Math.round(left), Math.round(top)];
    });
  return alignRows(items.map(textsOf), rows).map((row) =>
    row === null ? null : rows[row]!.map(({ box }) => place(box)),
  );
}

/** The printed texts of a line, by which its row is found. */
export function textsOf(item: Item): readonly string[] {
  const { drugCode, drugName, quantity, days, prescribedQty, unitPrice, totalAmount } = item;
  return [drugCode, drugName, quantity, days, prescribedQty, unitPrice, totalAmount].map((value) =>
    String(value ?? ''),
  );
}
