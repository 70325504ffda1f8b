/** The fields of a line by kind; names are scored apart, by letters. */
export const NUMERIC_FIELDS = ['quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'] as const;

export const EXACT_FIELDS = ['drugCode', ...NUMERIC_FIELDS] as const;
export type ExactField = (typeof EXACT_FIELDS)[number];

/** A name as it is compared: blanks are not information, columns break and squeeze them at will; a cut name ends in one mark, drawn as `…` or as dots. */
export function comparedName(text: string): string {
  return text.replace(/\s+/g, '').replace(/\.{2,}|\u2025/g, '…');
}
