import type { Doubt } from '../drug-line.ts';
import type { NumericField } from '../sheet-arithmetic.ts';
import type { DifferingLetter } from './differing-letters.ts';

/** Codes of a value that the sheet should print and the line lacks. */
export type MissingCode =
  | 'quantity_missing'
  | 'days_missing'
  | 'prescribed_qty_missing'
  | 'price_missing'
  | 'amount_missing';

/** Statement of the list about the price of a drug on the date of a sheet. */
export type ListedPrice =
  | { readonly state: 'none'; readonly date: string }
  | { readonly state: 'ended'; readonly since: string }
  | { readonly state: 'unpriced'; readonly since: string }
  | { readonly state: 'priced'; readonly krw: number; readonly date: string; readonly since: string };

/** Difference of a printed name from the listed one: it is another drug's, or has other letters; null: too different to say. */
export type NameDifference = { readonly otherCode: string } | { readonly letters: readonly DifferingLetter[] } | null;

/** A letter that print hardly shows, and the others that it may be. */
export interface UnreadLetter {
  readonly letter: string;
  readonly confidence: number;
  readonly rivals: readonly string[];
}

interface Value {
  readonly field: NumericField;
  readonly value: number;
}

interface Equation {
  readonly factors: readonly Value[];
  readonly product: number;
  readonly printed: number;
}

interface NameAndListed {
  readonly name: string;
  readonly listed: string;
}

interface CheckedPrice {
  readonly unitPrice: number;
  readonly list: ListedPrice;
}

interface Nothing {
  readonly [name: string]: never;
}

/** The parameters of each kind of finding. JSON, so that they can be stored with a line. */
export interface FindingParameters
  extends Record<`${MissingCode}.empty`, { readonly field: NumericField }>,
    Record<`${MissingCode}.illegible`, { readonly field: NumericField; readonly text: string }> {
  readonly 'code_missing.illegible': { readonly text: string };
  readonly 'code_missing.empty': Nothing;
  readonly 'code_missing.no_column': Nothing;
  readonly 'code_unknown.unlisted': { readonly code: string; readonly version: string };
  readonly 'code_unknown.replaced': { readonly code: string; readonly successors: readonly string[] };
  readonly code_incomplete: { readonly code: string; readonly lookup: string };
  readonly code_check_digit: { readonly code: string };
  readonly code_ambiguous: {
    readonly code: string;
    readonly twin: string;
    readonly name: string;
    readonly byPrice: boolean;
  };
  readonly code_uncertain: { readonly read: string; readonly byList: string; readonly name: string };
  readonly code_replaced: { readonly code: string; readonly by: string; readonly name: string };
  readonly code_ended: { readonly code: string; readonly date: string; readonly successor: string | null };
  readonly 'low_confidence.code': { readonly code: string; readonly confidence: number };
  readonly 'low_confidence.number': Value & { readonly confidence: number };
  readonly name_missing: { readonly code: string; readonly listed: string };
  readonly name_mismatch: NameAndListed & { readonly code: string; readonly difference: NameDifference };
  readonly 'name_uncertain.similar': NameAndListed & { readonly difference: NameDifference };
  readonly 'name_uncertain.unread': NameAndListed & { readonly letters: readonly UnreadLetter[] };
  readonly 'name_uncertain.no_strength': NameAndListed;
  readonly 'name_uncertain.short': NameAndListed;
  readonly 'name_uncertain.open_bracket': NameAndListed;
  readonly 'name_uncertain.end': NameAndListed;
  readonly 'name_uncertain.unknown_maker': NameAndListed;
  readonly 'name_uncertain.other_maker': NameAndListed & { readonly maker: string };
  readonly 'name_uncertain.unconfirmed': NameAndListed;
  readonly price_mismatch: CheckedPrice;
  readonly price_unlisted: CheckedPrice;
  readonly price_historical: CheckedPrice & { readonly from: string; readonly until: string | null };
  readonly 'quantity_missing.no_column': Nothing;
  readonly 'value_doubted.print': Value & { readonly doubt: Doubt };
  readonly 'value_doubted.dose': { readonly value: number; readonly name: string };
  readonly 'value_doubted.times_unread': { readonly quantity: number };
  readonly 'value_doubted.times': { readonly value: number };
  readonly value_not_positive: Value;
  readonly quantity_contradiction: Equation;
  readonly amount_contradiction: Equation;
  readonly amount_rounding: Equation;
  readonly column_inferred: Value;
  readonly unproven_value: Value;
  readonly 'table_incomplete.unread_row': Nothing;
  readonly 'table_incomplete.cut_off': Nothing;
  readonly 'table_incomplete.more_pages': Nothing;
  readonly 'table_incomplete.count': { readonly printed: number; readonly read: number };
  readonly total_mismatch: { readonly sum: number; readonly printed: number };
  readonly own_list: {
    readonly code: string;
    readonly name: { readonly own: string; readonly official: string } | null;
    readonly price: { readonly own: number | null; readonly official: number | null } | null;
  };
}

export type FindingKind = keyof FindingParameters;
