/** The fields of a line by kind; names are scored apart, by letters. */
export const NUMERIC_FIELDS = ['quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'] as const;
export type NumericField = (typeof NUMERIC_FIELDS)[number];

export const EXACT_FIELDS = ['drugCode', ...NUMERIC_FIELDS] as const;
export type ExactField = (typeof EXACT_FIELDS)[number];

/** Blanks in names are no information: columns break and squeeze them at will. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}
