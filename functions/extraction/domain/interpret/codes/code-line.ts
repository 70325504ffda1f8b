import { partOf } from '../../reading/reading-parts.ts';
import type { Reading } from '../../reading/table-reader.ts';

/**
 * A code in a line of its own, perhaps before the word for who pays; behind brackets, either of which may be read as a 1, with what is left of
 * a pen's stroke, a rule or a watermark.
 */
const CODE_LINE =
  /^(?:[([「]\s?(?<open>[06]\d{8})1|(?:[([]|1(?=[06]\d{8}(?!\d)))?\s?(?<bare>\d{13}|\d{9})\s?[)\]]?(?:\s?(?:비?급여|원내|원외|보험))?|[([]\s?(?<marked>\d{13}|\d{9})\s?[)\]].{1,3})$/d;

/** The code that a line shows and nothing else; null where there is more in it. */
export function codeOfLine(line: Reading): Reading | null {
  const { open, bare, marked } = CODE_LINE.exec(line.text)?.indices?.groups ?? {};
  const place = open ?? bare ?? marked;
  return place ? partOf(line, ...place) : null;
}
