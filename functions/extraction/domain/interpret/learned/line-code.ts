import { isWholeCode } from '../../master/drug-code.ts';
import { type CodeAndName, splitCodeAndName } from '../codes/code-and-name.ts';
import { isLevel, type Print } from '../print.ts';

const DIGIT_GROUPS = /^\d[\d\s.,-]*$/;
/** A list number, or one sign of a payer, a list or a bracket. */
const SIGN_BEFORE = /^(?:\d{1,2}[.)](?!\d)|\D)/;
const MAX_SIGNS_BEFORE = 8;

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

/** The digits of groups such as `645 902 470`, `(비)645.902` or `1) 645902`; null for other text. */
function digitsOf(text: string): string | null {
  let rest = text.trimEnd().replace(/[)\]>]$/, '');
  for (let signs = 0; signs <= MAX_SIGNS_BEFORE; signs++) {
    if (DIGIT_GROUPS.test(rest)) return rest.replace(/\D/g, '');
    const [sign] = SIGN_BEFORE.exec(rest) ?? [];
    if (sign === undefined) return null;
    rest = rest.slice(sign.length);
  }
  return null;
}
