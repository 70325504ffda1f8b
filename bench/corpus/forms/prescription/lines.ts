import { type TextStyle, textWidth } from '../../drawing/drawing.ts';
import { drawStroke } from '../../drawing/marks.ts';
import type { Random } from '../../random.ts';
import { type PlacedLine, type PrescribedLine, writeDose } from '../../sheet/prescribed-lines.ts';
import type { Rect } from '../../truth.ts';
import type { FormPlan } from './form-plan.ts';
import { fitting, type Sheet } from './sheet.ts';
import type { Columns } from './table.ts';

/** The program's print: lines of drugs, headings between them, the end of the list. */
export function printLines(
  sheet: Sheet,
  columns: Columns,
  bodyTop: number,
  lines: readonly PrescribedLine[],
  slots: number,
  main: boolean,
): PlacedLine[] {
  const { random, drawing, plan, left, print } = sheet;
  const { shift } = plan;
  const open = plan.rows === 'open';
  const headed = main && lines.length > 1 && lines.length + 3 < slots && random.chance(0.12);
  const tabEm = random.between(7.2, 9);
  const spellUnit = (line: PrescribedLine) =>
    plan.units === 'none' || (plan.units === 'some' && random.chance(0.5)) ? '' : line.unit;
  const placed: PlacedLine[] = [];
  let at = 0;
  const middleOf = (slot: number) =>
    bodyTop + shift.y + (open ? plan.printSize * 0.7 + slot * plan.pitch : (slot + 0.5) * plan.pitch);
  for (const line of lines) {
    if (headed && placed.length === 0) {
      drawing.text(random.pick(['[내복약]', '< 내 복 >', '* 내복약']), left + shift.x, middleOf(at), print);
      at++;
    }
    const middle = middleOf(at);
    at++;
    const smaller = random.chance(0.08);
    const style: TextStyle = smaller ? { ...print, size: print.size * 0.85 } : print;
    placed.push(printLine(sheet, columns, line, middle, style, tabEm, spellUnit(line)));
  }
  if (main && plan.ending !== null && at < slots) {
    drawing.text(plan.ending, left + shift.x * random.between(0.5, 3), middleOf(at), print);
    at++;
  }
  if (main && at + 2 < slots && random.chance(0.08)) {
    // What is left empty is struck out, so that nothing can be added.
    const ink = random.pick(['#222', '#1e3a8a']);
    drawStroke(
      random,
      drawing,
      [columns.usageX - plan.size * 3, middleOf(at)],
      [left + plan.size * 3, middleOf(slots - 1)],
      plan.size * 0.1,
      ink,
    );
  }
  return placed;
}

function printLine(
  sheet: Sheet,
  columns: Columns,
  line: PrescribedLine,
  middle: number,
  style: TextStyle,
  tabEm: number,
  unit: string,
): PlacedLine {
  const { random, drawing, plan, left, print } = sheet;
  const { shift } = plan;
  const joined = { blank: ' ', brackets: '', tab: '', dots: '. ' }[plan.joint];
  const start = left + shift.x;
  // A program leaves the code's column empty where it prints no code.
  let nameX = columns.code ? columns.name.x + plan.size * 0.4 : start;
  if (line.code !== null) {
    const code = plan.joint === 'brackets' && !columns.code ? `(${line.code})` : line.code;
    drawing.text(code, start, middle, style);
    // What is printed too far to the right moves all fields: none is printed over the next.
    nameX = columns.code
      ? Math.max(nameX, start + textWidth(code, style) + plan.size * 0.3)
      : plan.joint === 'tab'
        ? start + plan.printSize * tabEm * 0.62 + plan.printSize * 1.6
        : start + textWidth(code + joined, style);
    if (plan.joint === 'dots' && !columns.code) drawing.text('.', start + textWidth(code, style), middle, style);
  }
  const room = columns.name.x + columns.name.width - nameX - plan.size * random.between(0.05, 0.5);
  const name = fitting(line.name, room, style);
  drawing.text(name, nameX, middle, style);
  const height = Math.round(plan.pitch);
  const y = Math.round(middle - height / 2);
  const nameBox = {
    x: columns.code?.x ?? columns.name.x,
    y,
    width: columns.name.x + columns.name.width - (columns.code?.x ?? columns.name.x),
    height,
  };
  const texts: Record<string, string> = { drugName: name };
  const boxes: Record<string, Rect> = { drugName: nameBox };
  if (line.code !== null) {
    texts.drugCode = line.code;
    boxes.drugCode = nameBox;
  }
  for (const column of columns.doses) {
    const text = doseText(line, column.kind, plan, unit, random);
    // No form is so narrow that a program prints one number over the next.
    const fit = Math.min(1, (column.px * 0.96) / Math.max(1, textWidth(text, print)));
    const fitted = { ...print, size: fit * print.size };
    const inkWidth = textWidth(text, fitted);
    const x = column.x + Math.max(plan.size * 0.15, (column.px - inkWidth) / 2) + shift.numbersX;
    const apart = plan.units === 'apart' && unit !== '' && (column.kind === 'quantity' || column.kind === 'daily');
    if (apart) {
      const [number = '', word = ''] = text.split(' ');
      const spread = Math.min(plan.size * 1.1, Math.max(0, (column.px - inkWidth) / 2 - plan.size * 0.2));
      drawing.text(number, x - spread / 2, middle, fitted);
      drawing.text(word, x + textWidth(number, fitted) + spread / 2 + fit * plan.size * 0.25, middle, {
        ...fitted,
        size: fitted.size * 0.92,
      });
    } else drawing.text(text, x, middle, fitted);
    if (column.kind === 'daily' || column.kind === 'share') continue;
    texts[column.kind] = text;
    boxes[column.kind] = { x: column.x, y, width: column.px, height };
  }
  if (plan.hasUsage && random.chance(0.3)) {
    const usage = random.pick([
      '매 식후 30분',
      '식후 30분',
      '취침전 1회',
      '→1일 2회 도포',
      '아침,저녁 식후',
      '1일 3회 식후',
      '필요시',
    ]);
    drawing.text(usage, columns.usageX + plan.size * random.between(0.3, 1.2), middle, {
      ...print,
      size: print.size * 0.9,
    });
  }
  return { line, box: { ...nameBox, width: columns.usageX - nameBox.x }, name, texts, boxes };
}

function doseText(
  line: PrescribedLine,
  kind: FormPlan['columns'][number]['kind'],
  plan: FormPlan,
  unit: string,
  random: Random,
): string {
  const withUnit = (value: number) => {
    const number = writeDose(value, Number(plan.decimals));
    return unit === '' ? number : plan.units === 'attached' ? `${number}${unit}` : `${number} ${unit}`;
  };
  switch (kind) {
    case 'quantity':
      return withUnit(line.quantity);
    case 'daily':
      return withUnit(daily(line));
    case 'timesPerDay':
      return String(line.timesPerDay);
    case 'days':
      return String(line.days);
    case 'share':
      return random.chance(0.15) ? random.pick(['A', 'B', 'V', 'W']) : '';
  }
}

/** Thirds of a tablet add up to whole ones. */
export function daily({ quantity, timesPerDay }: PrescribedLine): number {
  return Math.round(quantity * timesPerDay * 100) / 100;
}
