/** Prints as numbers: the input of the network of tables. Arrays are row-major, one row a print. */
export interface EncodedPrints {
  readonly count: number;
  /** Buckets of letters and pairs of letters, `LETTER_IDS` a print, filled up with 0. */
  readonly ids: BigInt64Array;
  /** `NUMBERS` properties of the text, a print. */
  readonly numbers: Float32Array;
  /** Left, top, right and bottom in letter heights. */
  readonly boxes: Float32Array;
  /** Table, row, column and cell; table and cell -1 outside of every table. */
  readonly cells: Float32Array;
}

/** The output of the network, row-major. */
export interface TableOdds {
  /** Logits of `ROLES` for each print. */
  readonly roles: Float32Array;
  /** For each print, logits of each print as the anchor of its line: the code, or the first print of the name. */
  readonly anchors: Float32Array;
}

/** Says of each print of a page what it is, and to which line it belongs. */
export interface TableNetwork {
  run(prints: EncodedPrints): Promise<TableOdds>;
}
