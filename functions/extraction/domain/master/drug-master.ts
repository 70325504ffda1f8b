/** The published drug list with its price history. Loaded once per runtime; look-ups are in memory and synchronous. */
export interface DrugMaster {
  /** ISO date of the newest list in it; shown by the health endpoint. */
  readonly version: string;
  readonly size: number;
  /** By 9-digit insurance code; null when the list never had it. */
  find(code: string): MasterDrug | null;
  /** Codes whose name is nearest to `name`, best first, score 0 to 1; empty when nothing is near enough. */
  suggest(name: string, limit: number): readonly Suggestion[];
}

export interface MasterDrug {
  readonly code: string;
  readonly name: string;
  readonly maker: string;
  readonly unit: string;
  /** Ascending by date; at least one. */
  readonly prices: readonly MasterPrice[];
}

export interface MasterPrice {
  /** ISO date from which the price is in force. */
  readonly from: string;
  /** KRW; null from the date on which the drug left the list. */
  readonly krw: number | null;
}

export interface Suggestion {
  readonly code: string;
  readonly name: string;
  readonly score: number;
}
