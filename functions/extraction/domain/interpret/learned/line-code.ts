import { isWholeCode } from '../../master/drug-code.ts';
import { type CodeAndName, splitCodeAndName } from '../codes/code-and-name.ts';
import { isLevel, type Print } from '../print.ts';

/** Groups of a code's digits, perhaps behind the payer, a list number or a bracket: `645 902 470`, `(비)645.902`, `1) 645902`. */
const DIGIT_GROUPS = /^(?:\d{1,2}[.)](?=[\s\D])|\D){0,8}?(?<digits>\d[\d\s.,-]*)[)\]>]?\s*$/;

/** Whether a print shows some of a code's digits and not all of them. */
export function isGroupOfDigits({ text }: Print): boolean {
  const digits = digitsOf(text);
  return digits !== null && !isWholeCode(digits);
}

/** Whether two prints of one row show the same code. */
export function areOneCode(a: Print, b: Print): boolean {
  const [code, other] = [a, b].map((print) => splitCodeAndName(print)?.code.text);
  return code !== undefined && code === other && isLevel(a.box, b.box);
}

/** A code in groups of digits, in one print or several, in reading order; none if they are not a whole one. */
export function groupedCode(prints: readonly Print[]): readonly CodeAndName[] {
  const groups = prints.filter(({ text }) => digitsOf(text) !== null);
  const digits = groups.map(({ text }) => digitsOf(text)).join('');
  if (!isWholeCode(digits)) return [];
  const confidence = Math.min(...groups.map((print) => print.confidence));
  return [{ code: { text: digits, confidence }, name: { text: '', confidence: 1 } }];
}

function digitsOf(text: string): string | null {
  return DIGIT_GROUPS.exec(text)?.groups?.digits?.replace(/\D/g, '') ?? null;
}
