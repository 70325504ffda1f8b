import type { ColumnKind } from '../sheet/layouts.ts';
import { isField, type Sheet, type SheetLine } from '../sheet/sheet.ts';
import type { CellTruth, ColumnTruth, Rect, RowTruth, TableField, TableTruth } from '../truth.ts';
import { type Drawing, type TextStyle, textWidth } from './drawing.ts';
import type { TableStyle } from './table-style.ts';

/** A table set in columns: where everything stands, before it is drawn at a place. */
export interface SetTable {
  readonly width: number;
  readonly height: number;
  draw(drawing: Drawing, x: number, y: number): TableTruth;
}

interface SetColumn {
  readonly kind: ColumnKind;
  readonly header: readonly string[];
  readonly x: number;
  readonly width: number;
}

interface SetRow {
  readonly y: number;
  readonly height: number;
  readonly content: SheetLine | 'footer';
  readonly nameLines: readonly string[];
  readonly nameTruncated: boolean;
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
      return truthOf(set, left, top);
    },
  };
}

interface Setting {
  readonly sheet: Sheet;
  readonly style: TableStyle;
  readonly columns: readonly SetColumn[];
  readonly rows: readonly SetRow[];
  readonly width: number;
  readonly height: number;
  readonly headerHeight: number;
  readonly grouped: boolean;
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

function drawTable(drawing: Drawing, set: Setting, left: number, top: number): void {
  const { style, columns, rows, width, headerHeight } = set;
  if (style.headerFill !== '#ffffff') drawing.rect({ x: left, y: top, width, height: headerHeight }, style.headerFill);
  rows.forEach((row, i) => {
    const box = { x: left, y: top + row.y, width, height: row.height };
    if (row.content === 'footer') drawing.rect(box, style.ruling === 'none' ? '#ffffff' : style.stripeFill);
    else if (style.ruling === 'zebra' && i % 2 === 1) drawing.rect(box, style.stripeFill);
  });
  drawRules(drawing, set, left, top);
  drawHeader(drawing, set, left, top);
  const text: TextStyle = { font: style.font, size: style.size, color: style.ink };
  for (const row of rows) {
    const middle = top + row.y + row.height / 2;
    if (row.content === 'footer') drawFooter(drawing, set, left, middle);
    else if (row.content.type === 'section')
      drawing.text(row.content.text, left + style.paddingX * 2, middle, { ...text, bold: true });
    else
      for (const column of columns) {
        const lines = column.kind === 'drugName' ? row.nameLines : [row.content.texts[column.kind]];
        drawLines(drawing, lines, column, left, middle, { ...text, align: style.align[column.kind] ?? 'left' }, style);
      }
  }
}

function drawLines(
  drawing: Drawing,
  lines: readonly string[],
  column: SetColumn,
  left: number,
  middle: number,
  text: TextStyle,
  style: TableStyle,
): void {
  const x = {
    left: column.x + style.paddingX,
    center: column.x + column.width / 2,
    right: column.x + column.width - style.paddingX,
  }[text.align ?? 'left'];
  const pitch = text.size * 1.15;
  lines.forEach((line, i) => {
    drawing.text(line, left + x, middle + (i - (lines.length - 1) / 2) * pitch, text);
  });
}

function drawHeader(drawing: Drawing, set: Setting, left: number, top: number): void {
  const { style, columns, headerHeight } = set;
  const text: TextStyle = {
    font: style.font,
    size: style.size,
    bold: style.headerBold,
    color: style.headerColor,
    align: 'center',
  };
  for (const column of columns) {
    const inGroup = groupOf(set, column.kind) !== null;
    const middle = top + headerHeight * (inGroup ? 0.75 : 0.5);
    drawLines(drawing, column.header, column, left, middle, text, style);
  }
  for (const group of groupSpans(set))
    drawing.text(group.header, left + (group.from + group.to) / 2, top + headerHeight * 0.25, text);
}

function drawFooter(drawing: Drawing, set: Setting, left: number, middle: number): void {
  const { sheet, style, columns } = set;
  const footer = sheet.footer.row!;
  const text: TextStyle = { font: style.font, size: style.size, bold: style.headerBold, color: style.ink };
  const span = columns[firstTotal(set)]!.x;
  drawing.text(footer.label, left + span / 2, middle, { ...text, align: 'center' });
  for (const column of columns)
    drawLines(
      drawing,
      [footer.totals[column.kind] ?? ''],
      column,
      left,
      middle,
      { ...text, align: style.align[column.kind] ?? 'right' },
      style,
    );
}

function drawRules(drawing: Drawing, set: Setting, left: number, top: number): void {
  const { style, columns, rows, width, height, headerHeight } = set;
  const { ruleColor: color, ruleWidth: thin, outerRuleWidth: thick } = style;
  // Rules lie on whole pixels, as every program and printer puts them.
  const offset = Math.round(thin) % 2 === 1 ? 0.5 : 0;
  const horizontal = (y: number, strokeWidth: number, x1 = 0, x2 = width) =>
    drawing.line(left + x1, top + Math.round(y) + offset, left + x2, top + Math.round(y) + offset, color, strokeWidth);
  if (style.ruling === 'none') {
    if (thick > thin) horizontal(headerHeight, thin);
    return;
  }
  horizontal(0, thick);
  horizontal(height, thick);
  horizontal(headerHeight, thick);
  if (style.ruling === 'zebra') return;
  for (const row of rows) horizontal(row.y, row.y === headerHeight ? thick : thin);
  for (const group of groupSpans(set)) horizontal(headerHeight / 2, thin, group.from, group.to);
  if (style.ruling !== 'full') return;
  const vertical = (x: number, y1: number, y2: number, strokeWidth: number) =>
    drawing.line(left + x + offset, top + y1, left + x + offset, top + y2, color, strokeWidth);
  vertical(0, 0, height, thick);
  vertical(width, 0, height, thick);
  const spans = groupSpans(set);
  columns.forEach((column, i) => {
    if (i === 0) return;
    const insideGroup = spans.some(({ from, to }) => column.x > from && column.x < to);
    vertical(column.x, insideGroup ? headerHeight / 2 : 0, headerHeight, thin);
    for (const row of rows) {
      const merged = row.content === 'footer' ? i < firstTotal(set) : row.content.type === 'section';
      if (!merged) vertical(column.x, row.y, row.y + row.height, thin);
    }
  });
}

/** Index of the first column with a total: the footer's label spans what lies before it. */
function firstTotal({ sheet, columns }: Setting): number {
  const index = columns.findIndex(({ kind }) => sheet.footer.row?.totals[kind] !== undefined);
  return Math.max(1, index);
}

function groupOf(set: Setting, kind: ColumnKind): string | null {
  return set.sheet.layout.groups?.find(({ kinds }) => kinds.includes(kind))?.header ?? null;
}

function groupSpans(set: Setting): { header: string; from: number; to: number }[] {
  return (set.sheet.layout.groups ?? []).flatMap(({ header, kinds }) => {
    const members = set.columns.filter(({ kind }) => kinds.includes(kind));
    if (members.length === 0) return [];
    const last = members.at(-1)!;
    return [{ header, from: members[0]!.x, to: last.x + last.width }];
  });
}

function truthOf(set: Setting, left: number, top: number): TableTruth {
  const { sheet, columns, rows, width, height, grouped } = set;
  const drugRows = rows.filter((row) => row.content !== 'footer' && row.content.type === 'drug');
  const bodyEnd = rows.filter((row) => row.content !== 'footer').at(-1)!;
  return {
    box: { x: left, y: top, width, height },
    headerRowCount: grouped ? 2 : 1,
    columns: columns.map(
      (column): ColumnTruth => ({
        kind: column.kind,
        header: column.header.join(' '),
        box: { x: left + column.x, y: top, width: column.width, height: bodyEnd.y + bodyEnd.height },
      }),
    ),
    rows: drugRows.map((row) => rowTruth(row, columns, { x: left, y: top + row.y, width, height: row.height })),
    footer: sheet.footer.truth,
    complete: sheet.footer.truth.totalIsSum,
  };

  function rowTruth(row: SetRow, all: readonly SetColumn[], box: Rect): RowTruth {
    const { line, texts } = row.content as Extract<SheetLine, { type: 'drug' }>;
    const name = row.nameLines.join('');
    const item = { ...line.item, drugName: line.item.drugName === null ? null : name };
    const cells: Partial<Record<TableField, CellTruth>> = {};
    for (const column of all) {
      if (!isField(column.kind)) continue;
      const text = column.kind === 'drugName' ? name : texts[column.kind];
      const value = column.kind === 'timesPerDay' ? line.timesPerDay : item[column.kind];
      cells[column.kind] = { text, value, box: { ...box, x: left + column.x, width: column.width } };
    }
    const { expectation, suggestedDrugCode, errors } = line;
    return {
      box,
      cells,
      item,
      nameTruncated: row.nameTruncated,
      ...expectation,
      suggestedDrugCode,
      errors,
      cut: false,
    };
  }
}
