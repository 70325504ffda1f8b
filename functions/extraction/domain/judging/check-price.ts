import type { PriceCheck } from '../extraction.ts';
import type { MasterDrug, MasterPrice } from '../master/drug-master.ts';
import { priceInForce } from '../master/price-history.ts';
import { type Finding, red, yellow } from './finding.ts';

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
  const expected = describe(inForce, date);
  if (other)
    return {
      priceCheck: 'historical',
      findings: [
        yellow('price_historical', `unit price ${unitPrice} was in force ${periodOf(other, prices)}; ${expected}`),
      ],
    };
  if (inForce?.listed && inForce.krw === null)
    return {
      priceCheck: 'none',
      findings: [yellow('price_unlisted', `unit price ${unitPrice} cannot be checked: ${expected}`)],
    };
  return {
    priceCheck: 'mismatch',
    findings: [red('price_mismatch', `unit price ${unitPrice} is not the list's; ${expected}`)],
  };
}

function periodOf(price: MasterPrice, prices: readonly MasterPrice[]): string {
  const next = prices.find(({ from }) => from > price.from);
  return next ? `from ${price.from} until ${next.from}` : `from ${price.from} on`;
}

function describe(inForce: MasterPrice | null, date: string): string {
  if (inForce === null) return `the list has no price for this drug on ${date}: a list of that time may`;
  if (!inForce.listed) return `the drug left the list on ${inForce.from}`;
  if (inForce.krw === null) return `the list has this drug without a price (since ${inForce.from})`;
  return `the list says ${inForce.krw} on ${date} (in force since ${inForce.from})`;
}
