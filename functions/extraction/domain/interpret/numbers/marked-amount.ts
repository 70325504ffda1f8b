import { partOf } from '../../reading/reading-parts.ts';
import type { ReadCell, Reading } from '../../reading/table-reader.ts';

/** An amount with its currency, its accountant's sign, or both: `153원`, `₩153`, `(2,900)`, `△2,900`, `-₩2,900`. */
const MARKED = /^(?<sign>[-△▲▵∆])? ?(?<open>\()? ?(?<won>[₩\\])? ?(?<number>\d[\d.,]*) ?(?<unit>원)? ?(?<close>\))?$/du;

/**
 * The amount of a cell that prints more than its digits. The numerals' reading knows no such marks and takes them for digits, or is unsure
 * of everything. A bare number is none of these, and a dash alone may be what a rule has left.
 */
export function markedAmount({ text }: ReadCell): Reading | null {
  const found = MARKED.exec(text.text);
  if (!found) return null;
  const { sign, open, won, unit, close } = found.groups!;
  if ((open === undefined) !== (close === undefined)) return null;
  const isBracketed = open !== undefined;
  const isBare = !isBracketed && won === undefined && unit === undefined && (sign === undefined || sign === '-');
  if (isBare) return null;
  const number = partOf(text, ...found.indices!.groups!.number!);
  return isBracketed || sign !== undefined ? { text: `-${number.text}`, confidence: text.confidence } : number;
}
