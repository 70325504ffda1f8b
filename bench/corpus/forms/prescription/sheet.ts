import { type Drawing, type TextStyle, textWidth } from '../../drawing/drawing.ts';
import type { Random } from '../../random.ts';
import type { Split } from '../../truth.ts';
import type { FormPlan } from './form-plan.ts';

/** Everything that the parts of the form need. */
export interface Sheet {
  readonly random: Random;
  readonly drawing: Drawing;
  readonly plan: FormPlan;
  readonly split: Split;
  readonly left: number;
  readonly right: number;
  /** The form's own print. */
  readonly form: TextStyle;
  /** The style of the clinic's printer. */
  readonly print: TextStyle;
}

export function rule({ drawing, plan }: Sheet, x1: number, y1: number, x2: number, y2: number, dashes?: string): void {
  drawing.line(x1, y1, x2, y2, plan.formInk, plan.ruleWidth, dashes);
}

export function frame(sheet: Sheet, top: number, bottom: number): void {
  const { drawing, plan, left, right } = sheet;
  drawing.rect(
    { x: left, y: top, width: right - left, height: bottom - top },
    'none',
    plan.formInk,
    plan.ruleWidth * 1.5,
  );
}

/** As much of a text as its place holds: programs cut at the letter. */
export function fitting(text: string, width: number, style: TextStyle): string {
  let length = text.length;
  while (length > 4 && textWidth(text.slice(0, length).trimEnd(), style) > width) length--;
  return text.slice(0, length).trimEnd();
}
