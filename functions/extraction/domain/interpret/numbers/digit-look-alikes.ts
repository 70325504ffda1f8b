import type { ReadCell } from '../../reading/table-reader.ts';

/** Letters that a digit is read as where print touches a rule. */
export const LOOK_ALIKES: Readonly<Record<string, string>> = {
  U: '0',
  O: '0',
  o: '0',
  C: '0',
  D: '0',
  Q: '0',
  I: '1',
  l: '1',
  b: '6',
  S: '5',
  Z: '2',
  B: '8',
};

/** One of them, as a part of an expression. */
export const LOOK_ALIKE = `[${Object.keys(LOOK_ALIKES).join('')}]`;

/** Digits and a round letter, or the left half of one, perhaps behind what a rule was read as. No count has a unit of one such letter. */
const LAST_ZERO = /^[^\d\p{L}]{0,2}(?<digits>\d{1,2})[OoCUQ(]$/u;
/** The share of confidence that remains in a number with a letter taken for a digit. */
const DOUBT = 0.5;

/** A cell of a column that counts days or times, with a 0 whose right stroke lies in the column's rule: `3C` is 30. */
export function withLastZero(cell: ReadCell): ReadCell {
  const digits = LAST_ZERO.exec(cell.text.text.trim())?.groups?.digits;
  if (cell.blank || digits === undefined) return cell;
  const count = { text: `${digits}0`, confidence: cell.text.confidence * DOUBT };
  return { ...cell, text: count, numeral: count };
}
