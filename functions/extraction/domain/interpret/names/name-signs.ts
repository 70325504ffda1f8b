import type { TextField } from '../../drug-line.ts';
import { MAKER_WORDS } from '../../master/maker-words.ts';
import { isOneSyllableApart } from '../../text/jamo.ts';

/** Signs that no name contains, and their correction: there is no unit `mq`, and a number that begins with 0 is a fraction. */
const MISREAD: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d)mq(?![a-z])/gi, 'mg'],
  [/(?<=\d)mcq(?![a-z])/gi, 'mcg'],
  [/(?<=\d)mmg(?![a-z])/g, 'mg'],
  [/(?<=\d)mLL(?![a-z])/g, 'mL'],
  [/(?<![\d.])0[ :,_·]{1,2}\.?(?=\d+(?:%|mg|㎎|밀리))/g, '0.'],
  [/(?<=[\p{L}%])[.,:·] ?(?=\/1)/gu, ''],
  [/(?<=_)_(?=[_(])/g, ''],
];

/** A name with the signs that prints have where others were read that none has. */
export function withPrintedSigns(field: TextField): TextField {
  let mended = field;
  for (const [pattern, sign] of MISREAD) mended = replaced(mended, pattern, sign);
  return withAddition(withUnitWord(mended));
}

/** Units in words, the usual spelling of one that has two first. */
const UNIT_WORDS = ['밀리그램', '밀리그람', '마이크로그램', '마이크로그람', '밀리리터'];
const BEHIND_NUMBER = /(?<=\d)[가-힣]{4,6}/;

/** A name whose unit of strength has one misread jamo. */
function withUnitWord(field: TextField): TextField {
  const { value } = field;
  const found = value === null ? null : BEHIND_NUMBER.exec(value);
  if (!found || value === null) return field;
  const [word] = found;
  const unit = UNIT_WORDS.includes(word) ? undefined : UNIT_WORDS.find((each) => isOneSyllableApart(each, word));
  if (unit === undefined) return field;
  const text = value.slice(0, found.index) + unit + value.slice(found.index + unit.length);
  return { ...field, value: text, text };
}

function replaced(field: TextField, pattern: RegExp, sign: string): TextField {
  const { value, letters = [], rivals = [] } = field;
  if (value === null) return field;
  const matches = [...value.matchAll(pattern)];
  if (matches.length === 0) return field;
  let [text, at] = ['', 0];
  const kept: { letters: number[]; rivals: string[] } = { letters: [], rivals: [] };
  const keep = (until: number) => {
    text += value.slice(at, until);
    kept.letters.push(...letters.slice(at, until));
    kept.rivals.push(...rivals.slice(at, until));
  };
  for (const { index, 0: found } of matches) {
    keep(index);
    text += sign;
    const confidence = Math.min(...letters.slice(index, index + found.length));
    if (field.letters) kept.letters.push(...new Array<number>(sign.length).fill(confidence));
    if (field.rivals) kept.rivals.push(...new Array<string>(sign.length).fill(''));
    at = index + found.length;
  }
  keep(value.length);
  return {
    ...field,
    value: text,
    text,
    ...(field.letters && { letters: kept.letters }),
    ...(field.rivals && { rivals: kept.rivals }),
  };
}

/** How a drug is given, as forms print it in brackets behind names. */
const GIVEN = ['내복', '외용', '주사', '경구', '급여', '비급여', '원내', '원외'];
const LAST_BRACKET = /\(([가-힣]{2,3})\)$/;

/**
 * A name whose last bracket says how the drug is given, though its letters were read as others that the reader held possible, or one of
 * them with another jamo. A maker's name is never one of these: 조아 is two jamo from 주사.
 */
function withAddition(field: TextField): TextField {
  const { value, rivals = [] } = field;
  const found = value === null ? null : LAST_BRACKET.exec(value);
  if (!found || value === null) return field;
  const [, word = ''] = found;
  if (GIVEN.includes(word) || MAKER_WORDS.has(word)) return field;
  const start = found.index + 1;
  const heldPossible = (given: string) =>
    [...given].every((letter, at) => letter === word[at] || (rivals[start + at] ?? '').includes(letter));
  const meant = GIVEN.filter(
    (given) => given.length === word.length && (heldPossible(given) || isOneSyllableApart(given, word)),
  );
  if (meant.length !== 1) return field;
  const text = `${value.slice(0, start)}${meant[0]})`;
  return { ...field, value: text, text };
}
