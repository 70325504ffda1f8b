import { type TextStyle, textWidth } from '../../../drawing/drawing.ts';
import type { Random } from '../../../random.ts';
import type { Columns } from '../columns.ts';
import type { FormPlan, Numbering } from '../form-plan.ts';
import type { Sheet } from '../sheet.ts';

/** Numbers before the lines: 1, 2, 3. */
export function numbered(random: Random, plan: FormPlan): FormPlan {
  const place = random.weighted({ column: 50, text: 50 });
  const numbering: Numbering = {
    place,
    header: [random.pick(['순번', '순번', 'No', 'No.', '번호', '연번', '순'])],
    width: random.between(2.1, 3),
    mark: place === 'column' ? random.pick(['', '', '', '.']) : random.pick(['. ', '.', ') ', ')', ' ']),
    restarts: random.chance(0.5),
  };
  // A number in the column of the codes would push the code into the names.
  return { ...plan, numbering, codeColumn: plan.codeColumn && place === 'column' };
}

/**
 * Prints the number in its column.
 * @returns the printed text: empty if numbers have no column.
 */
export function printSerial({ drawing, plan, print }: Sheet, columns: Columns, number: number, middle: number): string {
  if (!columns.serial || !plan.numbering) return '';
  const { x, width } = columns.serial;
  const text = `${number}${plan.numbering.mark}`;
  // Shifted as far as its column leaves room, and no farther.
  const room = (width - textWidth(text, print)) / 2 - plan.size * 0.15;
  const shift = Math.max(-room, Math.min(room, plan.shift.numbersX));
  drawing.text(text, x + width / 2 + shift, middle, { ...print, align: 'center' });
  return text;
}

/** The number before a line's own print, at its left end. @returns its text with what separates it from the print, and how wide it is. */
export function printLeadingNumber(
  { drawing, plan }: Sheet,
  number: number,
  x: number,
  middle: number,
  style: TextStyle,
): { readonly text: string; readonly width: number } {
  if (plan.numbering?.place !== 'text') return { text: '', width: 0 };
  const text = `${number}${plan.numbering.mark}`;
  drawing.text(text.trimEnd(), x, middle, style);
  return { text, width: textWidth(text, style) };
}
