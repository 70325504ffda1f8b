import { textWidth } from '../../drawing/drawing.ts';
import type { Random } from '../../random.ts';
import { type PlacedLine, type PrescribedLine, writeDose } from '../../sheet/prescribed-lines.ts';
import type { Rect } from '../../truth.ts';
import type { Columns } from './columns.ts';
import type { DoseColumn, FormPlan } from './form-plan.ts';
import type { Sheet } from './sheet.ts';
import { printOneDose } from './variants/one-dose-column.ts';

/** The numbers of a line, a column each; or all of them in one. */
export function printDoses(
  sheet: Sheet,
  columns: Columns,
  line: PrescribedLine,
  middle: number,
  unit: string,
): Pick<PlacedLine, 'texts' | 'boxes'> {
  const { random, drawing, plan, print } = sheet;
  const { shift } = plan;
  const height = Math.round(plan.pitch);
  const y = Math.round(middle - height / 2);
  const texts: Record<string, string> = {};
  const boxes: Record<string, Rect> = {};
  for (const column of columns.doses) {
    if (column.kind === 'dose') {
      const dose = printOneDose(sheet, { x: column.x, y, width: column.px, height }, line);
      Object.assign(texts, dose.texts);
      Object.assign(boxes, dose.boxes);
      continue;
    }
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
  return { texts, boxes };
}

function doseText(
  line: PrescribedLine,
  kind: Exclude<DoseColumn['kind'], 'dose'>,
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
