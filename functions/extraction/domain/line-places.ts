import { type Item, type JudgedPage, LINE_FIELDS } from './extraction.ts';
import { alignColumns, alignRows } from './reading/align-tables.ts';
import { project, rectangleToQuad } from './reading/page/homography.ts';
import type { Box, PageReading, ReadCell } from './reading/table-reader.ts';

/** Places of a page's lines in the upload, and the field of each cell; null if the reader does not report the page's place in it. */
export function linePlaces(
  { tables, page: { width, height, corners } }: PageReading,
  items: readonly Item[],
): Required<Pick<JudgedPage, 'places' | 'placeFields'>> | null {
  if (corners === undefined || items.length === 0) return null;
  const toUpload = rectangleToQuad(width, height, corners);
  const rows = tables.flatMap((table) =>
    Array.from({ length: table.rowCount }, (_, row) => table.cells.filter((cell) => cell.row === row && !cell.blank))
      .filter(({ length }) => length > 0)
      .map((cells) => ({ table, cells })),
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
  const texts = items.map(textsOf);
  const partners = alignRows(
    texts,
    rows.map(({ cells }) => cells),
  );
  const byColumn = rows.map(({ cells }) => {
    const columns: (ReadCell | undefined)[] = [];
    for (const cell of cells) columns[cell.column] ??= cell;
    return columns;
  });
  const columnsOf = new Map(
    tables.map((table) => {
      const own = partners.map((row) => (row !== null && rows[row]!.table === table ? row : null));
      return [table, alignColumns(texts, byColumn, own, LINE_FIELDS.length)] as const;
    }),
  );
  const fieldOf = (table: (typeof tables)[number], column: number) =>
    LINE_FIELDS[columnsOf.get(table)!.indexOf(column)] ?? null;
  return {
    places: partners.map((row) => (row === null ? null : rows[row]!.cells.map(({ box }) => place(box)))),
    placeFields: partners.map((row) => {
      if (row === null) return null;
      const { table, cells } = rows[row]!;
      return cells.map(({ column }) => fieldOf(table, column));
    }),
  };
}

/** The printed texts of a line, by which its row is found. */
export function textsOf(item: Item): readonly string[] {
  return LINE_FIELDS.map((field) => String(item[field] ?? ''));
}
