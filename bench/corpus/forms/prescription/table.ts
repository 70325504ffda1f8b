import { textWidth } from '../../drawing/drawing.ts';
import type { Columns } from './columns.ts';
import { rule, type Sheet } from './sheet.ts';
import { ruleBelowNames } from './variants/codes-below.ts';

/** In em: room for its two letters of header. */
const MIN_USAGE = 3;

/** From left to right. */
export function halvesOf(sheet: Sheet, top: number): readonly Columns[] {
  const { plan, left, right } = sheet;
  const border = (index: number) => Math.round(left + ((right - left) * index) / plan.halves);
  return Array.from({ length: plan.halves }, (_, index) => columnsOf(sheet, top, border(index), border(index + 1)));
}

function columnsOf(sheet: Sheet, top: number, from: number, right: number): Columns {
  const { plan } = sheet;
  const { size } = plan;
  const serialWidth = plan.numbering?.place === 'column' ? Math.round(size * plan.numbering.width) : 0;
  const left = from + serialWidth;
  const codeWidth = plan.codeColumn ? size * 6.4 : 0;
  const dosesWidth = size * plan.columns.reduce((sum, { width }) => sum + width, 0);
  // Names take the rest of the form: its columns must fit within its frame.
  const widest = right - left - codeWidth - dosesWidth - (plan.hasUsage ? size * MIN_USAGE : 0);
  let x = Math.round(left + codeWidth + Math.min(size * plan.nameWidth, widest));
  const name = { x: left + codeWidth, y: top, width: x - left - codeWidth, height: 0 };
  const spare = right - x - dosesWidth;
  const stretch = plan.hasUsage ? 1 : 1 + spare / (right - x - spare);
  const doses = plan.columns.map((column) => {
    const px = Math.round(column.width * size * stretch);
    const at = { ...column, x, px };
    x += px;
    return at;
  });
  return {
    left: from,
    right,
    serial: serialWidth === 0 ? null : { ...name, x: from, width: serialWidth },
    name,
    code: plan.codeColumn ? { ...name, x: left, width: codeWidth } : null,
    doses,
    usageX: Math.min(x, right),
  };
}

export function drawTableHead(sheet: Sheet, columns: Columns, top: number, height: number): void {
  const { random, drawing, plan, form } = sheet;
  const { left, right } = columns;
  const { size } = plan;
  if (plan.headerFill !== 'none') drawing.rect({ x: left, y: top, width: right - left, height }, plan.headerFill);
  rule(sheet, left, top, right, top);
  rule(sheet, left, top + height, right, top + height);
  const text = { ...form, align: 'center' as const };
  const { name } = columns;
  const put = (lines: readonly string[], x: number, width: number) => {
    const apart = height / Math.max(2.3, lines.length + 0.2);
    // No higher than the line distance: printers set words tight, never one into the other.
    const fit = Math.min(size, apart, ...lines.map((one) => (size * width * 0.96) / Math.max(1, textWidth(one, form))));
    lines.forEach((one, i) => {
      const middle = top + height / 2 + (i - (lines.length - 1) / 2) * apart;
      drawing.text(one, x + width / 2, middle, { ...text, size: Math.max(size * 0.55, fit) });
    });
  };
  if (columns.serial) put(plan.numbering!.header, columns.serial.x, columns.serial.width);
  if (columns.code) put(['코 드'], columns.code.x, columns.code.width);
  put(columns.code ? ['처방의약품의 명칭'] : plan.nameHeader, name.x, name.width);
  for (const column of columns.doses) put(column.header, column.x, column.px);
  if (!plan.hasUsage) return;
  const room = right - columns.usageX;
  if (plan.usageHeader) {
    put(plan.usageHeader, columns.usageX, room);
    return;
  }
  const wide = random.chance(0.6);
  drawing.text('용', columns.usageX + room * (wide ? 0.25 : 0.44), top + height / 2, text);
  drawing.text('법', columns.usageX + room * (wide ? 0.78 : 0.58), top + height / 2, text);
}

/** Ruled, dashed or open rows, and the columns' own rules down to the bottom. */
export function drawSlots(
  sheet: Sheet,
  columns: Columns,
  top: number,
  count: number,
  height: number,
  ruleTop: number,
): void {
  const { plan } = sheet;
  const { left, right } = columns;
  const end = plan.hasUsage ? columns.usageX : right;
  const dashes = plan.rows === 'dashed' ? `${Math.round(plan.size * 0.35)} ${Math.round(plan.size * 0.25)}` : undefined;
  if (plan.rows !== 'open')
    for (let i = 1; i < count; i++)
      rule(sheet, left, top + i * plan.slotHeight, end, top + i * plan.slotHeight, dashes);
  if (plan.codesBelow?.ruled) ruleBelowNames(sheet, columns, top, count, dashes);
  rule(sheet, left, top + height, right, top + height);
  if (columns.serial) {
    const border = columns.serial.x + columns.serial.width;
    rule(sheet, border, ruleTop, border, top + height);
  }
  if (columns.code) rule(sheet, columns.name.x, top, columns.name.x, top + height);
  for (const { x } of columns.doses)
    rule(sheet, x, ruleTop === top ? top : Math.min(top, ruleTop), x, top + height, columnDashes(sheet, dashes));
  if (plan.hasUsage) rule(sheet, columns.usageX, ruleTop, columns.usageX, top + height);
}

/** Dashed forms dash their columns too, now and then. */
function columnDashes({ random }: Sheet, dashes: string | undefined): string | undefined {
  return dashes !== undefined && random.chance(0.5) ? dashes : undefined;
}

export function drawInjectionHead(sheet: Sheet, top: number, end: number): number {
  const { random, drawing, plan, left, right, form } = sheet;
  const { size } = plan;
  const height = size * random.between(1.6, 2.2);
  const x = left + size * random.between(1, 6);
  const title = random.pick(['주사제 처방내역', '주사제 처방명세', '주 사 제 처 방 내 역']);
  const words = [`${title}(원내조제`, ' , 원외처방', ')'];
  let at = x;
  words.forEach((word, i) => {
    drawing.text(word, at, top + height / 2, form);
    at += textWidth(word, form) + size * 0.3;
    if (i === 2) return;
    drawing.rect(
      { x: at, y: top + height / 2 - size * 0.42, width: size * 0.84, height: size * 0.84 },
      'none',
      plan.formInk,
      plan.ruleWidth * 1.3,
    );
    at += size * 1.1;
  });
  rule(sheet, left, top + height, plan.hasUsage ? end : right, top + height);
  return Math.round(top + height);
}
