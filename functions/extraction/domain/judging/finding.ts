import type { FindingKind, FindingParameters } from './finding-parameters.ts';

/** Something about a line that a person must see; its texts are made from kind and parameters. */
export interface Finding<K extends FindingKind = FindingKind> {
  readonly severity: 'yellow' | 'red';
  readonly kind: K;
  readonly parameters: FindingParameters[K];
}

/** A finding as it is stored next to its line. */
export type StoredFinding = Pick<Finding, 'kind' | 'parameters'>;

/** Every machine code that `review` may start with. */
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
  | 'total_mismatch'
  | 'own_list';

/** The stable code of a kind: kinds of one code differ after the dot. */
export function codeOf(kind: FindingKind): FindingCode {
  return kind.split('.')[0] as FindingCode;
}

export function yellow<K extends FindingKind>(kind: K, parameters: FindingParameters[K]): Finding<K> {
  return { severity: 'yellow', kind, parameters };
}

export function red<K extends FindingKind>(kind: K, parameters: FindingParameters[K]): Finding<K> {
  return { severity: 'red', kind, parameters };
}
