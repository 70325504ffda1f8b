import { partOf } from '../../reading/reading-parts.ts';
import type { ReadCell, Reading } from '../../reading/table-reader.ts';

/** An amount with its currency, its accountant's sign, or both: `153원`, `₩153`, `(2,900)`, `△2,900`, `-₩2,900`. */
const MARKED = /^(?<sign>[-△▲▵∆])? ?(?<open>\()? ?(?<won>[₩\\])? ?(?<number>\d[\d.,]*) ?(?<unit>원)? ?(?<close>\))?$/du;

/**
 * The amount of a cell that prints more than its digits. The numerals' reading knows no such marks and takes them for digits, or is unsure
 * of everything. A bare number is none of these, and a dash alone may be what a rule has left.
 */
export function markedAmount({ text }: ReadCell): Reading | null {
  const { sign, open, won, unit, close } = MARKED.exec(text.text)?.groups ?? {};
  const isBracketed = open !== undefined && close !== undefined;
  if ((open ?? close) !== undefined && !isBracketed) return null;
  const isNegative = isBracketed || sign !== undefined;
  if (!isBracketed && won === undefined && unit === undefined && (sign === undefined || sign === '-')) return null;
  const [from, to] = MARKED.exec(text.text)!.indices!.groups!.number!;
  const number = partOf(text, from, to);
  return isNegative ? { text: `-${number.text}`, confidence: text.confidence } : number;
}
