import type { Drawing, TextStyle } from './drawing.ts';
import { firstTotal, groupOf, groupSpans, type SetColumn, type Setting } from './table-setting.ts';
import type { TableStyle } from './table-style.ts';

export function drawTable(drawing: Drawing, set: Setting, left: number, top: number): void {
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
  // Rules are on whole pixels, as every program and printer puts them.
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
