import { hasCompanyPrefix } from '../../master/drug-code.ts';
import { joinReadings, partOf } from '../../reading/reading-parts.ts';
import type { Reading } from '../../reading/table-reader.ts';
import { withoutWonSign } from '../numbers/cell-values.ts';
import { LOOK_ALIKE, LOOK_ALIKES } from '../numbers/digit-look-alikes.ts';

/**
 * Nine digits, the thirteen or eight of it, or an old code: a letter, which looks alike in both cases, and digits. Eight before a letter that
 * looks like a digit are nine.
 */
const CODE = String.raw`(?<code>\d{13}|\d{9}|\d{8}(?!${LOOK_ALIKE}[\s(])|[A-Z]\d{7,8}|[a-z]\d{8})`;
/**
 * Perhaps behind a serial number, whose point may be lost before a bracket, an order code or the word for where the drug is given out, in
 * brackets, or behind marks that a rule has left where the print touches it; the name right after it or none. The letter of an old code may be
 * read in both cases: wW95100704.
 */
const CODE_FIRST = new RegExp(
  String.raw`^[\s_|.,:;'-]*(?:(?:[^\s가-힣]{1,10}|원[내외])\s+){0,2}(?:\d{1,2}(?:\s?[.,)][\s_]?|[\s_]?(?=[([])))?[([]?\s?(?:[a-z](?=[A-Z]\d))?${CODE}(?!\d)\s?[)\]]?[\s.:/_-]*(?<name>[^\s.:/_-].*)?$`,
  'ds',
);
/** A code cut by its column's border in shifted print: its last digits precede the name. */
const CUT_CODE = /^[\s_|.,:;'-]*[([]?(?<code>\d{2,8})\s(?<tail>\d{1,7})(?!\d)[)\]]?[\s.:_]*(?<name>[^\s.:/_-].*)$/ds;
/** Behind the name, in brackets. */
const CODE_IN_BRACKETS = new RegExp(String.raw`^(?<name>.*[^\s/([])[\s/]{0,2}[([]\s?${CODE}\s?[)\]]\s*$`, 'ds');
/** Behind the name and a blank, a stroke or a bracket that is lost on the other side. A name that is cut there may end in one itself. */
const CODE_LAST = new RegExp(String.raw`^(?<name>.*\S(?<!\s[/([]))(?:\s{0,2}[/([]\s?|\s{1,3})${CODE}[)\]]?\s*$`, 'ds');

/** Nine signs before the name, digits for the most part, the others digits too. */
const BLURRED_CODE = new RegExp(
  String.raw`^[\s_|.,:;'-]*[([]?(?<code>(?:\d|${LOOK_ALIKE}){9})(?:[)\].:_-]\s?|\s)(?<name>\S.*)$`,
  'ds',
);
const MIN_DIGITS = 4;
/** A code right behind a letter or two marks that a pen, a seal or a rule before it was read as. */
const BEHIND_MARK = /^[^\d\s]{1,2}(?<code>\d{9})(?!\d)[\s.:/)\]_-]*(?<name>[^\s.:/)\]_-].*)$/ds;
/** The same read as one digit more than a code has, where a mark separates the last one from the name; or a code with a speck among its digits. */
const WITH_MARK =
  /^(?:\d(?=\d{9}[.:_]))?[([]?(?<code>\d{9}|\d{1,8}[.,_·(]\d{1,8})(?!\d)[\s.:/)\]_-]*(?<name>[^\s.:/)\]_-].*)$/ds;
/** The number of a line right before its code, without the point that was printed between them, or with its bracket read as a digit. */
const NUMBERED = /^[\s_|.,:;'-]*(?:[1-9]\d?|[12]\d\d)(?<code>\d{9})(?!\d)[\s.:/)\]_-]*(?<name>[^\s.:/)\]_-].*)$/ds;
/** A maker's code anywhere else in a cell, perhaps in brackets: `비) 652606610 [비] 울트라셋정`, `알마겔정[642101080] (0.5g/1정)`. */
const CODE_AMONG = /^(?<before>.*?)(?<![\d.,-])[([]?\s?(?<code>\d{9})(?!\d|[.,-]\d)\s?[)\]]?(?<after>.*)$/ds;
/** The payer, next to a code: `비)`, `(급)`, `[비급여]`. */
const PAYER = /^[\s([]*(?:비급여|급여|비|급|보험)\s?[)\]]\s*/;
/** The share of confidence that remains in a code with letters taken for digits, or marks ignored. */
const DOUBT = 0.5;

export interface CodeAndName {
  readonly code: Reading;
  /** Empty where the code stands alone. */
  readonly name: Reading;
}

/** Parts what one place prints into a code and a name, each as surely read as its own letters; null where it shows no code. */
export function splitCodeAndName(printed: Reading): CodeAndName | null {
  const print = { ...printed, text: withoutWonSign(printed.text) };
  const cut = CUT_CODE.exec(print.text);
  const whole = cut && (ofMaker(ofTwo(print, cut)) ?? ofMaker(ofTwo(print, cut, 1)));
  if (whole) return whole;
  const first = CODE_FIRST.exec(print.text);
  if (first && (!first.groups!.name || /\p{L}/u.test(first.groups!.name))) return parts(print, first);
  const last = CODE_IN_BRACKETS.exec(print.text) ?? CODE_LAST.exec(print.text);
  if (last) return withoutListNumber(parts(print, last));
  const blurred = BLURRED_CODE.exec(print.text);
  if (blurred && (blurred.groups!.code!.match(/\d/g)?.length ?? 0) >= MIN_DIGITS)
    return inDigits(parts(print, blurred));
  const behind = BEHIND_MARK.exec(print.text);
  if (behind) return ofMaker(parts(print, behind));
  const marked = WITH_MARK.exec(print.text);
  const found = marked && ofMaker(inDigits(parts(print, marked)));
  if (found) return found;
  const numbered = NUMBERED.exec(print.text);
  return (numbered && ofMaker(inDigits(parts(print, numbered)))) ?? codeAmong(print);
}

/** The name is on the side of the code with more letters; a pack or a payer is on the other. */
function codeAmong(print: Reading): CodeAndName | null {
  const { before, code, after } = CODE_AMONG.exec(print.text)?.indices?.groups ?? {};
  if (!before || !code || !after) return null;
  const textOf = ([from, to]: readonly [number, number]) => print.text.slice(from, to);
  const lettersIn = (place: readonly [number, number]) => textOf(place).match(/\p{L}/gu)?.length ?? 0;
  const [from, to] = lettersIn(after) >= lettersIn(before) ? after : before;
  const payer = PAYER.exec(textOf([from, to]))?.[0].length ?? 0;
  const start = from + payer + /^\s*/.exec(textOf([from + payer, to]))![0].length;
  return ofMaker({
    code: partOf(print, ...code),
    name: partOf(print, start, start + textOf([start, to]).trimEnd().length),
  });
}

/** The list number of a code below its name, behind a bracket or a unit: `(내복)1. 667901500`. */
const LIST_NUMBER = /(?<=[)%a-zL]|그램|그람|리터|단위)\d{1,2}[.)]$/;

function withoutListNumber({ code, name }: CodeAndName): CodeAndName {
  return { code, name: partOf(name, 0, LIST_NUMBER.exec(name.text)?.index ?? name.text.length) };
}

/** A number before a word that only its maker's code identifies as a drug code; null without one. */
function ofMaker(found: CodeAndName): CodeAndName | null {
  const isCode = found.code.text.length === 9 && hasCompanyPrefix(found.code.text);
  return isCode && /\p{L}{2}/u.test(found.name.text) ? found : null;
}

function inDigits({ code, name }: CodeAndName): CodeAndName {
  const text = [...code.text].map((letter) => LOOK_ALIKES[letter] ?? letter.replace(/\D/, '')).join('');
  return { code: { text, confidence: code.confidence * DOUBT }, name };
}

/** A digit on the border itself may be in neither part, or in both. @param shared how many digits are in both. */
function ofTwo(print: Reading, cut: RegExpExecArray, shared = 0): CodeAndName {
  const { code, name } = parts(print, cut);
  const [from, to] = cut.indices!.groups!.tail!;
  const { text, confidence } = joinReadings([code, partOf(print, from + shared, to)]);
  return { code: { text, confidence: confidence * DOUBT }, name };
}

function parts(print: Reading, { indices }: RegExpExecArray): CodeAndName {
  const { code, name } = indices!.groups!;
  const [start, end] = name ?? [0, 0];
  const named = print.text.slice(start, end).trimEnd();
  const read = partOf(print, ...code!);
  return {
    code: { ...read, text: read.text.toUpperCase() },
    name: start === end ? { text: '', confidence: 1 } : partOf(print, start, start + named.length),
  };
}
