import type { FindingKind, FindingParameters, MissingCode } from './finding-parameters.ts';

/** A text for each kind of finding. */
export type FindingTexts = { readonly [K in FindingKind]: (parameters: FindingParameters[K]) => string };

type MissingTexts = Pick<FindingTexts, `${MissingCode}.${'empty' | 'illegible'}`>;

/** Texts of the values that a line lacks, which differ in the name of the field alone. */
export function missingTexts(texts: {
  readonly empty: MissingTexts['days_missing.empty'];
  readonly illegible: MissingTexts['days_missing.illegible'];
}): MissingTexts {
  return {
    'quantity_missing.empty': texts.empty,
    'quantity_missing.illegible': texts.illegible,
    'days_missing.empty': texts.empty,
    'days_missing.illegible': texts.illegible,
    'prescribed_qty_missing.empty': texts.empty,
    'prescribed_qty_missing.illegible': texts.illegible,
    'price_missing.empty': texts.empty,
    'price_missing.illegible': texts.illegible,
    'amount_missing.empty': texts.empty,
    'amount_missing.illegible': texts.illegible,
  };
}
