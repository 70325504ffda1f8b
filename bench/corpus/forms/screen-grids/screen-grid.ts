import { type Drawing, type TextStyle, textWidth } from '../../drawing/drawing.ts';
import type { Font } from '../../fonts.ts';
import type { Random } from '../../random.ts';
import type { Rect } from '../../truth.ts';

/** One grid of a program's window. */
export interface ScreenGrid {
  readonly columns: readonly GridColumn[];
  readonly rows: readonly GridRow[];
}

export interface GridColumn {
  /** `\n` breaks it. */
  readonly header: string;
  /** Preferred width in em; the widest column takes the rest. */
  readonly width: number;
  readonly align: 'left' | 'center' | 'right';
}

export interface GridRow {
  readonly texts: readonly string[];
  readonly color?: string;
  readonly fill?: string;
}

export interface GridStyle {
  readonly font: Font;
  readonly size: number;
  readonly rowHeight: number;
  readonly headerFill: string;
  readonly headerColor: string;
  readonly headerBold: boolean;
  readonly rule: string;
  readonly stripe: string | null;
  readonly selected: { readonly fill: string; readonly color: string };
}

export interface SetGrid {
  readonly box: Rect;
  readonly headerHeight: number;
  /** Left edge and width of every column. */
  readonly columns: readonly { readonly x: number; readonly width: number }[];
  readonly rows: readonly { readonly box: Rect; readonly texts: readonly string[] }[];
}

export function gridStyle(random: Random, font: Font, size: number): GridStyle {
  const dark = random.chance(0.1);
  return {
    font,
    size,
    rowHeight: Math.round(size * random.between(1.45, 1.9)),
    headerFill: dark
      ? random.pick(['#4a5a70', '#30557f', '#5b6b5b'])
      : random.pick(['#f0efe9', '#e8eef6', '#dfe8f4', '#f3f3f3', '#ffffff', '#e3efd9', '#fdeeda', '#d9e2ea']),
    headerColor: dark ? '#fff' : random.pick(['#000', '#000', '#223a66', '#333']),
    headerBold: random.chance(0.25),
    rule: random.pick(['#c8c8c8', '#b8c2d0', '#a0a0a0', '#d8d8d8', '#8f9bab']),
    stripe: random.chance(0.25) ? random.pick(['#f5f8fc', '#f4f4ee', '#eef5ee']) : null,
    selected: random.pick([
      { fill: '#ffd98a', color: '#000' },
      { fill: '#cfe4ff', color: '#000' },
      { fill: '#2f6fc6', color: '#fff' },
      { fill: '#fff6a8', color: '#000' },
    ]),
  };
}

/**
 * Draws a grid into a place; a program fills what its rows leave empty with ground, or with empty rows.
 * @param height of the whole grid, or null: as high as its rows.
 */
export function drawScreenGrid(
  random: Random,
  drawing: Drawing,
  grid: ScreenGrid,
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number | null },
  style: GridStyle,
): SetGrid {
  const { size, rowHeight } = style;
  const text: TextStyle = { font: style.font, size, color: '#111' };
  const lines = Math.max(...grid.columns.map(({ header }) => header.split('\n').length));
  const headerHeight = Math.round(Math.max(rowHeight, lines * size * 1.12 + size * 0.5));
  const columns = columnPlaces(grid.columns, place.x, place.width, size);
  const needed = headerHeight + grid.rows.length * rowHeight;
  const height = place.height ?? needed;
  const shown = Math.min(grid.rows.length, Math.floor((height - headerHeight) / rowHeight));
  drawing.rect({ x: place.x, y: place.y, width: place.width, height }, '#ffffff', style.rule, 1);
  const last = columns.at(-1)!;
  const gridWidth = last.x + last.width - place.x;
  drawing.rect({ x: place.x, y: place.y, width: gridWidth, height: headerHeight }, style.headerFill);
  const head: TextStyle = { ...text, color: style.headerColor, bold: style.headerBold, align: 'center' };
  grid.columns.forEach(({ header }, i) => {
    const parts = header.split('\n');
    parts.forEach((part, k) => {
      const middle = place.y + headerHeight / 2 + (k - (parts.length - 1) / 2) * size * 1.1;
      const { x, width } = columns[i]!;
      const fit = Math.min(size, (size * (width - 2)) / Math.max(1, textWidth(part, head)));
      drawing.text(part, x + width / 2, middle, { ...head, size: Math.max(fit, size * 0.7) });
    });
  });
  const rows = grid.rows.slice(0, shown).map((row, i) => {
    const box: Rect = { x: place.x, y: place.y + headerHeight + i * rowHeight, width: gridWidth, height: rowHeight };
    const fill = row.fill ?? (style.stripe !== null && i % 2 === 1 ? style.stripe : null);
    if (fill !== null) drawing.rect(box, fill);
    const texts = row.texts.map((value, k) => cellText(value, columns[k]!.width, text));
    texts.forEach((value, k) => {
      drawCell(drawing, value, columns[k]!, grid.columns[k]!.align, box, { ...text, color: row.color ?? '#111' });
    });
    return { box, texts };
  });
  const emptyRows = random.chance(0.3) ? Math.floor((height - headerHeight) / rowHeight) : shown;
  const end = place.y + headerHeight + emptyRows * rowHeight;
  for (let i = 0; i <= emptyRows; i++) {
    const y = place.y + headerHeight + i * rowHeight + 0.5;
    drawing.line(place.x, y, place.x + gridWidth, y, style.rule, 1);
  }
  for (const { x, width } of columns) drawing.line(x + width + 0.5, place.y, x + width + 0.5, end, style.rule, 1);
  const box = { x: place.x, y: place.y, width: gridWidth, height: headerHeight + shown * rowHeight };
  return { box, headerHeight, columns, rows };
}

function drawCell(
  drawing: Drawing,
  value: string,
  { x, width }: { readonly x: number; readonly width: number },
  align: GridColumn['align'],
  row: Rect,
  text: TextStyle,
): void {
  const at = { left: x + 3, center: x + width / 2, right: x + width - 3 }[align];
  drawing.text(value, at, row.y + row.height / 2, { ...text, align });
}

/** The visible text of a cell: programs cut at the cell's edge. */
export function cellText(value: string, width: number, text: TextStyle): string {
  let length = value.length;
  while (length > 1 && textWidth(value.slice(0, length), text) > width - 5) length--;
  return value.slice(0, length).trimEnd();
}

/** One wide column gives and takes; where there is none, or it is not enough, all do. */
function columnPlaces(columns: readonly GridColumn[], left: number, width: number, size: number) {
  const wished = columns.map((column) => column.width * size);
  const widest = wished.indexOf(Math.max(...wished));
  const spare = width - wished.reduce((sum, one) => sum + one, 0);
  const alone = wished.filter((wish) => wish > 0.8 * wished[widest]!).length === 1;
  const fits = alone && wished[widest]! + spare > 7 * size;
  const scale = width / (width - spare);
  let x = left;
  return wished.map((wish, i) => {
    const own = Math.round(fits ? wish + (i === widest ? spare : 0) : wish * scale);
    const place = { x, width: own };
    x += own;
    return place;
  });
}

/** A scroll bar at a grid's right or bottom edge. */
export function drawScrollBar(random: Random, drawing: Drawing, box: Rect, vertical: boolean): void {
  const thick = 15;
  const bar = vertical
    ? { x: box.x + box.width - thick, y: box.y, width: thick, height: box.height }
    : { x: box.x, y: box.y + box.height - thick, width: box.width, height: thick };
  drawing.rect(bar, '#f0f0f0', '#dcdcdc', 1);
  const share = random.between(0.25, 0.7);
  const from = random.between(0, 0.9 - share);
  const length = vertical ? bar.height - 30 : bar.width - 30;
  const thumb = vertical
    ? { x: bar.x + 2, y: bar.y + 15 + from * length, width: thick - 4, height: share * length }
    : { x: bar.x + 15 + from * length, y: bar.y + 2, width: share * length, height: thick - 4 };
  drawing.rect(thumb, random.pick(['#cdcdcd', '#c0c8d4', '#a6a6a6']));
}
