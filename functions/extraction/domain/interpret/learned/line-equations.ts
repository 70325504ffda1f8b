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
  const products = productsOf(numberAs);
  const outcomes: boolean[] = [];
  if (dose !== null && daily !== null && times !== null)
    outcomes.push(Math.abs(dose * times - daily) < ROUNDING * daily);
  if (total !== null && products.length > 0 && (times ?? days) !== null)
    outcomes.push(products.some((one) => Math.abs(one - total) < 0.01));
  if (price !== null && amount !== null && (total !== null || products.length > 0))
    outcomes.push(isAmount(amount, [price], numberAs));
  const holds = outcomes.filter((outcome) => outcome).length;
  return { holds, fails: outcomes.length - holds };
}

/** Whether an amount is one of the prices, times a quantity that the line may mean. */
export function isAmount(
  amount: number,
  prices: readonly number[],
  numberAs: (role: NumberRole) => number | null,
): boolean {
  const total = numberAs('prescribedQty');
  const quantities = total === null ? productsOf(numberAs) : [total, ...productsOf(numberAs)];
  return prices.some((price) => quantities.some((one) => Math.abs(one * price - amount) <= 1));
}

/** Forms say the quantity by dose, by day or of all days; none if the line has no quantity. */
function productsOf(numberAs: (role: NumberRole) => number | null): readonly number[] {
  const quantity = numberAs('quantity') ?? numberAs('dailyDose');
  if (quantity === null) return [];
  const [times, days] = [numberAs('timesPerDay') ?? 1, numberAs('days') ?? 1];
  return [quantity * times * days, quantity * days, quantity * times, quantity];
}
