import list from './prices.json' with { type: 'json' };

/** Days on which the list prices of the two regions were gathered: USD, without free tiers and volume discounts. */
export const PRICES_AS_OF = list.asOf;
export const SEOUL_AS_OF = list.seoulAsOf;

export type Region = 'us-east-1' | 'ap-northeast-2';
export type PriceName = keyof typeof list.prices;

export interface Price {
  /** In us-east-1. */
  readonly usd: number;
  /** In ap-northeast-2; null: no published figure was found. */
  readonly seoul: number | null;
  /** The priced unit. */
  readonly unit: string;
  readonly source: string;
}

export const prices: Readonly<Record<PriceName, Price>> = list.prices;

/** The price of a unit in a region; where Seoul's is not known, that of us-east-1. */
export function priceIn(region: Region, name: PriceName): number {
  const { usd, seoul } = prices[name];
  return region === 'us-east-1' ? usd : (seoul ?? usd);
}
