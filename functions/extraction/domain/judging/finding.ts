/** Something about a line that a person must see. */
export interface Finding {
  readonly severity: 'yellow' | 'red';
  /** Stable, for machines. */
  readonly code: FindingCode;
  /** For people: the reading and the expected value. */
  readonly text: string;
}

/** Every machine code that `review` may begin with. */
export type FindingCode =
  | 'code_missing'
  | 'code_unknown'
  | 'code_incomplete'
  | 'code_check_digit'
  | 'code_ambiguous'
  | 'code_uncertain'
  | 'code_replaced'
  | 'code_ended'
  | 'low_confidence'
  | 'name_missing'
  | 'name_mismatch'
  | 'name_uncertain'
  | 'price_mismatch'
  | 'price_historical'
  | 'price_unlisted'
  | 'price_missing'
  | 'quantity_missing'
  | 'days_missing'
  | 'prescribed_qty_missing'
  | 'amount_missing'
  | 'value_doubted'
  | 'value_not_positive'
  | 'quantity_contradiction'
  | 'amount_contradiction'
  | 'amount_rounding'
  | 'column_inferred'
  | 'unproven_value'
  | 'table_incomplete'
  | 'total_mismatch';

export function yellow(code: FindingCode, text: string): Finding {
  return { severity: 'yellow', code, text };
}

export function red(code: FindingCode, text: string): Finding {
  return { severity: 'red', code, text };
}
