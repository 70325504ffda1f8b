import type { DrugMaster } from './drug-master.ts';
import { priceInForce } from './price-history.ts';

/** A drug with its price on a day. */
export interface ListedDrug {
  readonly code: string;
  readonly name: string;
  readonly maker: string;
  readonly unit: string;
  /** Null when it has none. */
  readonly priceKrw: number | null;
  /** Whether the list has it on that day. */
  readonly listed: boolean;
}

const MAX_FOUND = 20;

/** Drugs by code or name. Those that have left the list come last. @param date ISO. */
export function searchDrugs(master: DrugMaster, text: string, date: string): readonly ListedDrug[] {
  const found = master.search(text, MAX_FOUND).map(({ code, name, maker, unit, prices }): ListedDrug => {
    const price = priceInForce(prices, date);
    // A drug whose prices are unknown is on the list without one.
    return { code, name, maker, unit, priceKrw: price?.krw ?? null, listed: price?.listed ?? prices.length === 0 };
  });
  return [...found.filter(({ listed }) => listed), ...found.filter(({ listed }) => !listed)];
}
