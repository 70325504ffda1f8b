import { hasCompanyPrefix, isWholeCode } from '../../master/drug-code.ts';
import type { Reading } from '../../reading/table-reader.ts';
import { splitCodeAndName } from './code-and-name.ts';
import { codeOfLine } from './code-line.ts';

/** Whether a line prints the code of a drug, alone or with its name. @param line with its reading as a numeral, where there is one. */
export function showsCode(line: Reading & { readonly numeral?: Reading | null }): boolean {
  const code = (codeOfLine(line) ?? splitCodeAndName(line)?.code)?.text ?? '';
  return isWholeCode(code) && hasCompanyPrefix(code);
}
