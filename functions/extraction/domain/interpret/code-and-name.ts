import { partOf } from '../reading/reading-parts.ts';
import type { Reading } from '../reading/table-reader.ts';

/** Nine digits, the thirteen or eight of it, or an old code: a letter and digits. */
const CODE = String.raw`(?<code>\d{13}|\d{9}|\d{8}|[A-Z]\d{7,8})`;
/**
 * Perhaps behind a serial number or an order code, in brackets, or behind marks that a rule has left where the print touches
 * it; the name right after it or none.
 */
const CODE_FIRST = new RegExp(
  String.raw`^[\s_|.,:;'-]*(?:[^\s가-힣]{1,10}\s+){0,2}[([]?\s?${CODE}(?!\d)\s?[)\]]?[\s.:/_-]*(?<name>[^\s.:/_-].*)?$`,
  'ds',
);
const CODE_LAST = new RegExp(String.raw`^(?<name>.*)[ ([]${CODE}[)\]]?\s*$`, 'ds');

/** Letters that a digit is read as where print touches a rule. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  U: '0',
  O: '0',
  o: '0',
  D: '0',
  Q: '0',
  I: '1',
  l: '1',
  b: '6',
  S: '5',
  Z: '2',
  B: '8',
};
/** Nine signs before the name, digits for the most part, the others digits too. */
const BLURRED_CODE = /^[\s_|.,:;'-]*[([]?(?<code>[\dUOoDQIlbSZB]{9})(?:[)\].:_-]\s?|\s)(?<name>\S.*)$/ds;
const MIN_DIGITS = 4;
/** What is left of the confidence in a code of which letters were taken for digits. */
const DOUBT = 0.5;

export interface CodeAndName {
  readonly code: Reading;
  /** Empty where the code stands alone. */
  readonly name: Reading;
}

/** Parts what one place prints into a code and a name, each as surely read as its own letters; null where it shows no code. */
export function splitCodeAndName(print: Reading): CodeAndName | null {
  const first = CODE_FIRST.exec(print.text);
  if (first && (!first.groups!.name || /\p{L}/u.test(first.groups!.name))) return parts(print, first);
  const last = CODE_LAST.exec(print.text);
  if (last) return parts(print, last);
  const blurred = BLURRED_CODE.exec(print.text);
  return blurred && (blurred.groups!.code!.match(/\d/g)?.length ?? 0) >= MIN_DIGITS
    ? inDigits(parts(print, blurred))
    : null;
}

function inDigits({ code, name }: CodeAndName): CodeAndName {
  const text = [...code.text].map((letter) => LOOK_ALIKES[letter] ?? letter).join('');
  return { code: { text, confidence: code.confidence * DOUBT }, name };
}

function parts(print: Reading, { indices }: RegExpExecArray): CodeAndName {
  const { code, name } = indices!.groups!;
  const [start, end] = name ?? [0, 0];
  const named = print.text.slice(start, end).trimEnd();
  return {
    code: partOf(print, ...code!),
    name: start === end ? { text: '', confidence: 1 } : partOf(print, start, start + named.length),
  };
}
