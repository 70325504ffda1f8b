import type { MasterPrice } from './drug-master.ts';

/** The entry in force on `date` (ISO), or null before the first one. `prices` ascend by date. */
export function priceInForce(prices: readonly MasterPrice[], date: string): MasterPrice | null {
  return prices.findLast(({ from }) => from <= date) ?? null;
}

/** Sorts by date, keeps the last of equal dates, and drops entries that change nothing. */
export function tidyHistory(prices: readonly MasterPrice[]): readonly MasterPrice[] {
  const byDate = new Map([...prices].sort((a, b) => compare(a.from, b.from)).map((price) => [price.from, price]));
  const tidy: MasterPrice[] = [];
  for (const price of byDate.values()) {
    const before = tidy.at(-1)?.krw ?? null;
    if (price.krw !== before) tidy.push(price);
  }
  return tidy;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
