import type { ColumnKind } from '../sheet/layouts.ts';
import type { Sheet, SheetLine } from '../sheet/sheet.ts';
import type { TableTruth } from '../truth.ts';
import { drawTable } from './draw-table.ts';
import { type Drawing, type TextStyle, textWidth } from './drawing.ts';
import type { SetColumn, SetRow } from './table-setting.ts';
import type { TableStyle } from './table-style.ts';
import { tableTruth } from './table-truth.ts';

/** A table set in columns: all positions, before it is drawn at a place. */
export interface SetTable {
  readonly width: number;
  readonly height: number;
  draw(drawing: Drawing, x: number, y: number): TableTruth;
}

/**
 * @param minWidth the table is stretched to it, as sheets fill their page.
 * @param maxWidth what does not fit is taken from the name column.
 */
export function setTable(sheet: Sheet, style: TableStyle, minWidth: number, maxWidth: number): SetTable {
  const body: TextStyle = { font: style.font, size: style.size };
  const head: TextStyle = { ...body, bold: style.headerBold };
  const grouped = sheet.layout.groups !== undefined;
  const drugRows = sheet.lines.filter((line) => line.type === 'drug');

  const textOf = (line: SheetLine, kind: ColumnKind) => (line.type === 'drug' ? line.texts[kind] : '');
  const fullName = (line: SheetLine) => {
    const name = textOf(line, 'drugName');
    return sheet.truncatedAt === null ? name : name.slice(0, sheet.truncatedAt).trimEnd();
  };

  const widths = sheet.columns.map(({ kind, header }) => {
    const texts = drugRows.map((line) => (kind === 'drugName' ? fullName(line) : textOf(line, kind)));
    if (sheet.footer.row) texts.push(sheet.footer.row.totals[kind] ?? '');
    let widest = Math.max(...texts.map((text) => textWidth(text, body)));
    if (kind === 'drugName')
      widest = Math.min(widest, style.size * (style.longNames === 'widen' ? 38 : style.nameCapEm));
    const headerWidth = Math.max(...header.split('\n').map((text) => textWidth(text, head)));
    return Math.max(widest, headerWidth) + 2 * style.paddingX;
  });
  const nameIndex = sheet.columns.findIndex(({ kind }) => kind === 'drugName');
  const natural = widths.reduce((sum, width) => sum + width, 0);
  if (natural > maxWidth) widths[nameIndex] = Math.max(style.size * 9, widths[nameIndex]! - (natural - maxWidth));
  else if (natural < minWidth) {
    const spare = minWidth - natural;
    for (let i = 0; i < widths.length; i++)
      widths[i]! += spare * (i === nameIndex ? 0.4 : 0) + (spare * (nameIndex < 0 ? 1 : 0.6)) / widths.length;
  }
  let x = 0;
  const columns: SetColumn[] = sheet.columns.map(({ kind, header }, i) => {
    const column = { kind, header: header.split('\n'), x, width: Math.round(widths[i]!) };
    x += column.width;
    return column;
  });
  const width = x;
  const nameWidth = (columns[nameIndex]?.width ?? 0) - 2 * style.paddingX;

  const headerLines = Math.max(...columns.map(({ header }) => header.length));
  const oneHeader = style.headerHeight + (headerLines - 1) * style.size * 1.1;
  const headerHeight = Math.round(grouped ? oneHeader * 1.9 : oneHeader);
  let y = headerHeight;
  const rows: SetRow[] = [];
  for (const content of sheet.lines) {
    const name = fullName(content);
    const set = setName(name, nameWidth, style, body);
    const height = Math.round(style.rowHeight + (Math.max(1, set.lines.length) - 1) * style.size * 1.15);
    const shortened = set.cut || name !== textOf(content, 'drugName');
    rows.push({ y, height, content, nameLines: set.lines, nameTruncated: content.type === 'drug' && shortened });
    y += height;
  }
  if (sheet.footer.row) {
    const height = Math.round(style.rowHeight * 1.05);
    rows.push({ y, height, content: 'footer', nameLines: [], nameTruncated: false });
    y += height;
  }
  const set = { sheet, style, columns, rows, width, height: y, headerHeight, grouped };
  return {
    width,
    height: y,
    draw(drawing, left, top) {
      drawTable(drawing, set, left, top);
      return tableTruth(set, left, top);
    },
  };
}

/** Breaks or cuts a name to its column, between letters as Korean print does. */
function setName(name: string, width: number, style: TableStyle, text: TextStyle): { lines: string[]; cut: boolean } {
  if (textWidth(name, text) <= width) return { lines: [name], cut: false };
  if (style.longNames !== 'wrap') return { lines: [fitting(name, width, style.cutMark, text)], cut: true };
  const first = fitting(name, width, '', text);
  const rest = name.slice(first.length).trimStart();
  if (textWidth(rest, text) <= width) return { lines: [first, rest], cut: false };
  return { lines: [first, fitting(rest, width, '', text)], cut: true };
}

function fitting(text: string, width: number, mark: string, style: TextStyle): string {
  let length = text.length;
  while (length > 1 && textWidth(text.slice(0, length).trimEnd() + mark, style) > width) length--;
  return text.slice(0, length).trimEnd() + mark;
}
