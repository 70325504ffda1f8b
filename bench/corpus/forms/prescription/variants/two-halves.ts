import type { Random } from '../../../random.ts';
import type { Columns } from '../columns.ts';
import type { FormPlan } from '../form-plan.ts';
import { rule, type Sheet } from '../sheet.ts';

/**
 * A list that runs down the left half of its table and on in the right one: a wider form of fewer rows, narrower columns, none for the usage.
 */
export function twoHalves(random: Random, plan: FormPlan): FormPlan {
  const narrow = (kind: string) => (kind === 'quantity' ? random.between(3.5, 4.5) : random.between(2.9, 3.6));
  const columns = plan.columns
    .filter(({ kind }) => kind !== 'daily' && kind !== 'share')
    .map((column) => ({ ...column, width: Math.min(column.width, narrow(column.kind)) }));
  const slots = random.int(4, 8);
  return {
    ...plan,
    width: Math.round(plan.size * random.between(62, 74)),
    columns,
    nameWidth: random.between(19, 22),
    codeColumn: false,
    hasUsage: false,
    slots,
    // Open rows are as many, too: print below the left half's last row would fall into the next part of the form.
    slotHeight: plan.rows === 'open' ? plan.pitch + (1.5 * plan.size) / slots : plan.slotHeight,
    // In narrow columns, a shift as large as elsewhere would move numbers into the next column.
    shift: { ...plan.shift, x: Math.min(plan.shift.x, plan.size), numbersX: plan.shift.numbersX / 3 },
    joint: plan.joint === 'tab' ? 'blank' : plan.joint,
    ending: plan.ending === null ? null : random.pick(['이 하 여 백', '이하여백', '-- 이하여백 --']),
    // Whether they would be read before or after the right half's drugs, no form says.
    injectionShare: 0,
    halves: 2,
  };
}

/** The rules between the halves. */
export function drawHalfBorders(sheet: Sheet, halves: readonly Columns[], top: number, bottom: number): void {
  for (const { left } of halves.slice(1)) rule(sheet, left, top, left, bottom);
}
