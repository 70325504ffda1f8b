import type { PriceCheck } from '../extraction.ts';
import type { MasterDrug, MasterPrice } from '../master/drug-master.ts';
import { priceInForce } from '../master/price-history.ts';
import { type Finding, red, yellow } from './finding.ts';
import type { ListedPrice } from './finding-parameters.ts';

export interface PriceVerdict {
  readonly priceCheck: PriceCheck;
  readonly findings: readonly Finding[];
}

/**
 * Compares a printed unit price with the price in force on the date of the sheet and with the others of the drug's history.
 * @param date ISO.
 */
export function checkPrice(unitPrice: number | null, drug: MasterDrug | null, date: string): PriceVerdict {
  if (!drug || unitPrice === null) return { priceCheck: 'none', findings: [] };
  const { prices } = drug;
  const inForce = priceInForce(prices, date);
  if (inForce?.krw === unitPrice) return { priceCheck: 'current', findings: [] };
  // Of a sheet that is older than the list's first price, a later price of the drug is as good as an earlier one.
  const other = prices.findLast(({ from, krw }) => (from <= date || inForce === null) && krw === unitPrice);
  const checked = { unitPrice, list: listedPrice(inForce, date) };
  if (other)
    return {
      priceCheck: 'historical',
      findings: [yellow('price_historical', { ...checked, from: other.from, until: endOf(other, prices) })],
    };
  if (inForce?.listed && inForce.krw === null)
    return {
      priceCheck: 'none',
      findings: [yellow('price_unlisted', checked)],
    };
  return {
    priceCheck: 'mismatch',
    findings: [red('price_mismatch', checked)],
  };
}

/** The first day on which a price was no longer in force; null: it still is. */
function endOf(price: MasterPrice, prices: readonly MasterPrice[]): string | null {
  return prices.find(({ from }) => from > price.from)?.from ?? null;
}

function listedPrice(inForce: MasterPrice | null, date: string): ListedPrice {
  if (inForce === null) return { state: 'none', date };
  const { listed, krw, from: since } = inForce;
  if (!listed) return { state: 'ended', since };
  return krw === null ? { state: 'unpriced', since } : { state: 'priced', krw, date, since };
}
