import type { TextField } from '../../drug-line.ts';
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
  return withUnitWord(mended);
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
