import type { TextField } from '../../drug-line.ts';

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
  return mended;
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
