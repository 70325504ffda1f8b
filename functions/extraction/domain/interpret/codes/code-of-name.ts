import type { DrugLine } from '../../drug-line.ts';
import { hasCompanyPrefix } from '../../master/drug-code.ts';
import { withoutStrayMarks } from '../names/drug-names.ts';
import { splitCodeAndName } from './code-and-name.ts';

/** A possible beginning of a code; eight digits may also be a code without its zero. */
const PART_OF_CODE = /^\d{4,8}$/;

/** The lines of a list in which some names follow their code. */
export function withCodesOfNames(lines: readonly DrugLine[]): readonly DrugLine[] {
  return lines.map(withCodeOfName);
}

/** A line whose code precedes its name in one cell, undivided so far; or is cut by the border between them. */
function withCodeOfName(line: DrugLine): DrugLine {
  const { drugCode, drugName } = line;
  if (drugName.value === null) return line;
  if (drugCode.value !== null && !PART_OF_CODE.test(drugCode.value)) return line;
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
