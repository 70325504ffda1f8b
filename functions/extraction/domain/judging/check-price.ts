import type { PriceCheck } from '../extraction.ts';
import type { MasterDrug } from '../master/drug-master.ts';
import { priceInForce } from '../master/price-history.ts';
import { type Finding, red, yellow } from './finding.ts';

export interface PriceVerdict {
  readonly priceCheck: PriceCheck;
  readonly findings: readonly Finding[];
}

/** Compares a printed unit price with the master's price in force on `today` (ISO) and with those before it. */
export function checkPrice(unitPrice: number | null, drug: MasterDrug | null, today: string): PriceVerdict {
  if (!drug || unitPrice === null) return { priceCheck: 'none', findings: [] };
  const inForce = priceInForce(drug.prices, today);
  if (inForce?.krw === unitPrice) return { priceCheck: 'current', findings: [] };
  const now = describe(inForce?.krw ?? null, inForce?.from ?? null);
  const earlier = drug.prices.findLast(({ from, krw }) => from <= today && krw === unitPrice);
  if (earlier)
    return {
      priceCheck: 'historical',
      findings: [yellow('price_historical', `unit price ${unitPrice} was in force from ${earlier.from}; ${now}`)],
    };
  return {
    priceCheck: 'mismatch',
    findings: [red('price_mismatch', `unit price ${unitPrice} is not the list's; ${now}`)],
  };
}

function describe(krw: number | null, from: string | null): string {
  if (from === null) return 'the list has no price for this drug yet';
  return krw === null ? `the drug left the list on ${from}` : `the list says ${krw} (in force since ${from})`;
}
