const PAGE_PRICE_KRW = 200;

/** Means of a workspace to pay for pages. */
export interface Funds {
  readonly balanceKrw: number;
  readonly freePagesLeft: number;
}

/** Most that pages may cost: each page without a drug table is free. */
export function costOf(pages: number, freePagesLeft: number): { readonly free: number; readonly krw: number } {
  const free = Math.min(pages, freePagesLeft);
  return { free, krw: (pages - free) * PAGE_PRICE_KRW };
}

/** Pages that the funds are enough for. */
export function affordablePages({ balanceKrw, freePagesLeft }: Funds): number {
  return freePagesLeft + Math.floor(balanceKrw / PAGE_PRICE_KRW);
}
