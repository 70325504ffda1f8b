import type { DrugLine } from '../drug-line.ts';
import { splitCodeAndName } from './code-and-name.ts';
import { hasCompanyPrefix } from './column-evidence.ts';
import { withoutStrayMarks } from './drug-names.ts';

/** A line whose code stands before its name in one cell, where nothing else has told the two apart. */
export function withCodeOfName(line: DrugLine): DrugLine {
  const { drugCode, drugName } = line;
  if (drugCode.value !== null || drugName.value === null) return line;
  const { value: text, confidence, letters, rivals } = drugName;
  const parts = splitCodeAndName({ text, confidence, ...(letters && { letters }), ...(rivals && { rivals }) });
  if (!parts || !hasCompanyPrefix(parts.code.text)) return line;
  const { text: code, ...read } = parts.code;
  const { text: name, ...readName } = parts.name;
  return {
    ...line,
    drugCode: { value: code, text: code, confidence: read.confidence },
    drugName: withoutStrayMarks({ value: name || null, text: name, ...readName }),
  };
}
