import { type Drawing, type TextStyle, textWidth } from '../drawing/drawing.ts';
import type { Random } from '../random.ts';

/** A table of anything but drugs. */
export interface PlainTable {
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
  /** Columns that are set to the right, as numbers are. */
  readonly right: ReadonlySet<number>;
}

export type Ruling = 'full' | 'rows' | 'ends' | 'zebra' | 'none';

export function anyRuling(random: Random): Ruling {
  return random.weighted<Ruling>({ full: 40, rows: 18, ends: 16, zebra: 12, none: 14 });
}

/** Draws it and returns where it ends. */
export function drawPlainTable(
  random: Random,
  drawing: Drawing,
  table: PlainTable,
  place: { readonly x: number; readonly y: number; readonly width: number },
  text: TextStyle,
  ruling: Ruling,
): number {
  const { size } = text;
  const rows = table.header === null ? table.rows : [table.header, ...table.rows];
  const rowHeight = size * random.between(1.5, 2.3);
  const color = random.pick(['#222', '#555', '#999', '#2a4d8f', '#b22222']);
  const natural = rows[0]!.map((_, k) => Math.max(...rows.map((row) => textWidth(row[k] ?? '', text))) + size * 1.2);
  const scale = place.width / natural.reduce((sum, one) => sum + one, 0);
  let x = place.x;
  const columns = natural.map((width) => {
    const column = { x, width: width * scale };
    x += column.width;
    return column;
  });
  const small: TextStyle = { ...text, size: Math.min(size, size * scale) };
  const end = place.y + rows.length * rowHeight;
  const across = (y: number, width = 1) => drawing.line(place.x, y, place.x + place.width, y, color, width);
  rows.forEach((row, i) => {
    const y = place.y + i * rowHeight;
    const head = i === 0 && table.header !== null;
    if (head && random.chance(0.3)) drawing.rect({ x: place.x, y, width: place.width, height: rowHeight }, '#e8e8e8');
    if (ruling === 'zebra' && i % 2 === 1)
      drawing.rect({ x: place.x, y, width: place.width, height: rowHeight }, '#f0f0f0');
    row.forEach((value, k) => {
      const column = columns[k]!;
      const right = table.right.has(k) && !head;
      const align = head ? 'center' : right ? 'right' : 'left';
      const at = {
        left: column.x + size * 0.4,
        center: column.x + column.width / 2,
        right: column.x + column.width - size * 0.5,
      }[align];
      drawing.text(value, at, y + rowHeight / 2, { ...small, align, bold: head });
    });
    if (ruling === 'full' || ruling === 'rows' || (i === 1 && ruling !== 'none')) across(y);
  });
  if (ruling !== 'none') {
    across(place.y, 2);
    across(end, 2);
  }
  if (ruling === 'full')
    for (const at of [...columns.map((column) => column.x), place.x + place.width])
      drawing.line(at, place.y, at, end, color, 1);
  return end;
}
