import { doubtedReading, partOf } from '../../reading/reading-parts.ts';
import type { Reading } from '../../reading/table-reader.ts';

/**
 * A code in a separate line, perhaps before the payer's word, or before a dot and its maker; behind brackets, where either may be read as
 * a 1, with remains of a pen's stroke, a rule or a watermark.
 */
const CODE_LINE =
  /^(?:[([「]\s?(?<open>[06]\d{8})1|(?:[([]|1(?=[06]\d{8}(?!\d)))?\s?(?<bare>\d{13}|\d{9})\s?[)\]]?(?:\s?(?:비?급여|원내|원외|보험)|\s?[·ㆍ|]\s?\D{2,30})?|[([]\s?(?<marked>\d{13}|\d{9})\s?[)\]].{1,3})$/d;

/** The number of a line right before its code, without the point or bracket between them. */
const NUMBERED = /^[1-9]\d?(?<code>[06]\d{8})$/d;

/** Mostly digits, with one or two read as other signs; and the code that the numerals' reading makes of them. */
const BLURRED = /^[([]?\S{9,11}[)\]]?$/;
const MIN_DIGITS = 7;
const MAKERS_CODE = /^[06]\d{8}$/;

/** The code that a line shows and nothing else; null where there is more in it. @param line with its reading as a numeral, where there is one. */
export function codeOfLine(line: Reading & { readonly numeral?: Reading | null }): Reading | null {
  const { open, bare, marked } = CODE_LINE.exec(line.text)?.indices?.groups ?? {};
  const place = open ?? bare ?? marked;
  if (place) return partOf(line, ...place);
  const numbered = NUMBERED.exec(line.text)?.indices?.groups?.code;
  return numbered ? doubtedReading(partOf(line, ...numbered)) : blurredCode(line.text, line.numeral);
}

function blurredCode(text: string, numeral: Reading | null = null): Reading | null {
  const digits = text.replace(/\D/g, '').length;
  const isCode = BLURRED.test(text) && digits >= MIN_DIGITS && MAKERS_CODE.test(numeral?.text ?? '');
  return isCode ? doubtedReading(numeral!) : null;
}
