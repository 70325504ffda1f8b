import { textWidth } from '../../../drawing/drawing.ts';
import type { Random } from '../../../random.ts';
import { type PlacedLine, type PrescribedLine, writeDose } from '../../../sheet/prescribed-lines.ts';
import type { Rect } from '../../../truth.ts';
import type { FormPlan } from '../form-plan.ts';
import type { Sheet } from '../sheet.ts';

const FIELDS = ['quantity', 'timesPerDay', 'days'] as const;

/** One column for the dose, how often a day and for how many days. */
export function oneDoseColumn(random: Random, plan: FormPlan): FormPlan {
  const units = random.chance(0.35);
  const header = random.pick([
    ['1회투약량 /', '1일투여횟수 /', '총투약일수'],
    ['1회투약량 / 1일투여횟수', '/ 총투약일수'],
    ['1회투약량/', '1일투여횟수/총투약일수'],
    ['1회투약량/횟수/일수'],
    ['1회량 / 횟수 / 일수'],
    ['투약량/횟수/일수'],
  ]);
  const shares = plan.columns.filter(({ kind }) => kind === 'share');
  const width = Math.max(units ? 9.5 : 7.5, Math.max(...header.map((one) => one.length)) * 0.62) + random.between(0, 2);
  const mark = random.weighted({ ' / ': 60, '/': 40 });
  return {
    ...plan,
    columns: [{ kind: 'dose', header, width }, ...shares],
    minHeaderHeight: header.length + 0.4,
    oneDose: { mark, units },
  };
}

/** The three numbers in the middle of their cell; each has the part of the cell's box that it fills. */
export function printOneDose(
  { drawing, plan, print }: Sheet,
  cell: Rect,
  line: PrescribedLine,
): Pick<PlacedLine, 'texts' | 'boxes'> {
  const texts = {
    quantity: writeDose(line.quantity, Number(plan.decimals)) + (plan.oneDose!.units ? line.unit : ''),
    timesPerDay: `${line.timesPerDay}${plan.oneDose!.units ? '회' : ''}`,
    days: `${line.days}${plan.oneDose!.units ? '일' : ''}`,
  };
  const text = oneDoseText(plan, texts);
  const style = { ...print, size: print.size * Math.min(1, (cell.width * 0.94) / textWidth(text, print)) };
  const room = (cell.width - textWidth(text, style)) / 2;
  const x = cell.x + room + Math.max(-room, Math.min(room, plan.shift.numbersX));
  drawing.text(text, x, cell.y + cell.height / 2, style);
  const boxes: Partial<Record<(typeof FIELDS)[number], Rect>> = {};
  let printed = '';
  for (const field of FIELDS) {
    const from = Math.round(x + textWidth(printed, style));
    boxes[field] = { ...cell, x: from, width: Math.round(textWidth(texts[field], style)) };
    printed += texts[field] + plan.oneDose!.mark;
  }
  return { texts, boxes };
}

/** The text of the cell. */
export function oneDoseText({ oneDose }: FormPlan, texts: PlacedLine['texts']): string {
  return FIELDS.map((field) => texts[field]).join(oneDose!.mark);
}
