/** The published drug list with its price history. Loaded once per runtime; look-ups are in memory and synchronous. */
export interface DrugMaster {
  readonly info: MasterInfo;
  readonly size: number;
  /** By 9-digit insurance code; null when the list never had it. */
  find(code: string): MasterDrug | null;
  /**
   * Drugs that had `code` before the list was renumbered (9 digits, or a letter and 8 digits): one old code may have
   * become several. Empty when the list names it nowhere.
   */
  findByOldCode(code: string): readonly MasterDrug[];
  /** Codes whose name is nearest to `name`, best first, score 0 to 1; empty when nothing is near enough. */
  suggest(name: string, limit: number): readonly Suggestion[];
  /** Drugs whose code starts with `text`, or whose name holds each word of it, the closest first. */
  search(text: string, limit: number): readonly MasterDrug[];
}

/** Where the drugs and prices come from. */
export interface MasterInfo {
  /** ISO date of the newest list in it. */
  readonly version: string;
  /** ISO dates of the monthly lists that were imported, ascending. */
  readonly dates: readonly string[];
  /** Where the first edition came from, e.g. "건강보험심사평가원, 약제급여목록"; '' when it does not say. */
  readonly source: string;
  /** Attribution that the licence requires next to any display of the data; '' if none. */
  readonly attribution: string;
}

export interface MasterDrug {
  readonly code: string;
  readonly name: string;
  /** '' when the list does not say. */
  readonly maker: string;
  /** Size and unit that the price is for, e.g. "15 g/개", "1 정". */
  readonly unit: string;
  /** Codes before the list was renumbered (목록정비전코드), ascending. */
  readonly oldCodes: readonly string[];
  /** Ascending by date; empty if only code and name of a drug are known. */
  readonly prices: readonly MasterPrice[];
}

export interface MasterPrice {
  /** ISO date from which the price is in force. */
  readonly from: string;
  /** KRW; null when the drug is on the list without a price (산정불가), or off the list. */
  readonly krw: number | null;
  /** False from the date on which the drug left the list. */
  readonly listed: boolean;
}

export interface Suggestion {
  readonly code: string;
  readonly name: string;
  readonly score: number;
}
