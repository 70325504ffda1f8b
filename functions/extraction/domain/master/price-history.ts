import type { MasterPrice } from './drug-master.ts';

/** The entry in force on `date` (ISO), or null before the first one. `prices` ascend by date. */
export function priceInForce(prices: readonly MasterPrice[], date: string): MasterPrice | null {
  return prices.findLast(({ from }) => from <= date) ?? null;
}

export function offList(from: string): MasterPrice {
  return { from, krw: null, listed: false };
}

/** Sorts by date, keeps the last of equal dates, and drops entries that change nothing. */
export function tidyHistory(prices: readonly MasterPrice[]): readonly MasterPrice[] {
  const byDate = new Map([...prices].sort((a, b) => compare(a.from, b.from)).map((price) => [price.from, price]));
  const tidy: MasterPrice[] = [];
  for (const price of byDate.values()) if (!isSame(tidy.at(-1) ?? offList(''), price)) tidy.push(price);
  return tidy;
}

export function isSame(a: Omit<MasterPrice, 'from'>, b: Omit<MasterPrice, 'from'>): boolean {
  return a.krw === b.krw && a.listed === b.listed;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
