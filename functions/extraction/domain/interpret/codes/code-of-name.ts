import type { DrugLine, TextField } from '../../drug-line.ts';
import { hasCompanyPrefix } from '../../master/drug-code.ts';
import { withoutStrayMarks } from '../names/drug-names.ts';
import { LOOK_ALIKE } from '../numbers/digit-look-alikes.ts';
import { splitCodeAndName } from './code-and-name.ts';

/** The lines of a list in which some names follow their code, or part of it. */
export function withCodesOfNames(lines: readonly DrugLine[]): readonly DrugLine[] {
  const split = lines.map(withCodeOfName);
  const coded = split.filter(({ drugCode }) => hasCompanyPrefix(drugCode.value ?? '')).length;
  return coded < Math.max(MIN_CODED, split.length / 2) ? split : split.map(withHalfCode);
}

/** A line whose code precedes its name in one cell, undivided so far; or is cut by the border between them. */
function withCodeOfName(line: DrugLine): DrugLine {
  const { drugCode, drugName } = line;
  if (drugName.value === null) return line;
  if (drugCode.value !== null && !PART_OF_CODE.test(drugCode.value)) return withoutOwnCode(line);
  const before = drugCode.value === null ? '' : `${drugCode.value} `;
  const { value, confidence, letters, rivals } = drugName;
  const ofCode = <T>(filler: T) => new Array<T>(before.length).fill(filler);
  const parts = splitCodeAndName({
    text: before + value,
    confidence: before === '' ? confidence : confidence * drugCode.confidence,
    ...(letters && { letters: [...ofCode(drugCode.confidence), ...letters] }),
    ...(rivals && { rivals: [...ofCode(''), ...rivals] }),
  });
  if (!parts || parts.code.text === drugCode.value || !hasCompanyPrefix(parts.code.text)) return line;
  const { text: code, ...read } = parts.code;
  const { text: name, ...readName } = parts.name;
  return {
    ...line,
    drugCode: { value: code, text: code, ...read },
    drugName: withoutStrayMarks({ value: name || null, text: name, ...readName }),
  };
}

/** Removes the code repeated before a name: its cell was read as part of the next as well. */
function withoutOwnCode(line: DrugLine): DrugLine {
  const { value, confidence, letters } = line.drugName;
  const parts = splitCodeAndName({ text: value!, confidence, ...(letters && { letters }) });
  if (parts?.code.text !== line.drugCode.value || parts.name.text === '') return line;
  return { ...line, drugName: withoutStrayMarks(from(line.drugName, value!.lastIndexOf(parts.name.text))) };
}

/** A possible beginning of a code; eight digits may also be a code without its zero. */
const PART_OF_CODE = /^\d{4,8}$/;
/** With fewer codes, a list does not show that codes precede names. */
const MIN_CODED = 2;
/** Digits for the most part, as many as half a code has or one more than a whole one: no name begins so. */
const HALF_CODE = new RegExp(
  String.raw`^[\s_|.,:;'([-]*(?<code>(?:\d|${LOOK_ALIKE}){6,10})(?: \d{1,4}(?![.\d]))?[)\]]?[\s.:/_-]*(?<name>\p{L}{2}.*)$`,
  'dsu',
);
const MIN_DIGITS = 6;
/** The last digits of a code whose first digits were not read. */
const END_OF_CODE = /^\d{1,3}\.? (?=[\p{Script=Hangul}(])/u;

/** A line of a coded list whose code was not read whole: its remains are removed from the name, and the code holds the visible part. */
function withHalfCode(line: DrugLine): DrugLine {
  const { drugCode, drugName } = line;
  if (drugCode.value !== null || drugName.value === null) return line;
  const half = HALF_CODE.exec(drugName.value);
  const digits = half?.groups?.code?.replace(/\D/g, '') ?? '';
  if (half && digits.length >= MIN_DIGITS)
    return {
      ...line,
      drugCode: { value: digits, text: digits, confidence: 0 },
      drugName: withoutStrayMarks(from(drugName, half.indices!.groups!.name![0])),
    };
  const end = END_OF_CODE.exec(drugName.value)?.[0].length;
  return end === undefined ? line : { ...line, drugName: from(drugName, end) };
}

/** A name without its first letters. */
function from(name: TextField, start: number): TextField {
  const text = name.value!.slice(start);
  return {
    ...name,
    value: text,
    text,
    ...(name.letters && { letters: name.letters.slice(start) }),
    ...(name.rivals && { rivals: name.rivals.slice(start) }),
  };
}
