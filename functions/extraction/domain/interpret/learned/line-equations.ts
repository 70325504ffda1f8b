import type { NumberRole } from './roles.ts';

/** Numbers of equations of a line that hold, and of those that could and do not. */
export interface Equations {
  readonly holds: number;
  readonly fails: number;
}

/** Forms round doses to four places, or to two. */
const ROUNDING = 0.02;

/**
 * Checks the numbers of a line with each other: dose × times a day is the daily dose, × days the prescribed quantity, × price the amount.
 * @param numberAs null: not printed.
 */
export function equationsOf(numberAs: (role: NumberRole) => number | null): Equations {
  const [dose, daily, times, days] = [
    numberAs('quantity'),
    numberAs('dailyDose'),
    numberAs('timesPerDay'),
    numberAs('days'),
  ];
  const [total, price, amount] = [numberAs('prescribedQty'), numberAs('unitPrice'), numberAs('totalAmount')];
  const quantity = dose ?? daily;
  const products = quantity === null ? [] : productsOf(quantity, times ?? 1, days ?? 1);
  const outcomes: boolean[] = [];
  if (dose !== null && daily !== null && times !== null)
    outcomes.push(Math.abs(dose * times - daily) < ROUNDING * daily);
  if (total !== null && products.length > 0 && (times ?? days) !== null)
    outcomes.push(products.some((one) => Math.abs(one - total) < 0.01));
  const amounts = total === null ? products : [total, ...products];
  if (price !== null && amount !== null && amounts.length > 0)
    outcomes.push(amounts.some((one) => Math.abs(one * price - amount) <= 1));
  const holds = outcomes.filter((outcome) => outcome).length;
  return { holds, fails: outcomes.length - holds };
}

/** Forms say the quantity by dose, by day or of all days. */
function productsOf(quantity: number, times: number, days: number): readonly number[] {
  return [quantity * times * days, quantity * days, quantity * times, quantity];
}
