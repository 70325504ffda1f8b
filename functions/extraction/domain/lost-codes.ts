import type { DrugLine } from './drug-line.ts';
import { hasCompanyPrefix, isWholeCode, toDrugCode } from './master/drug-code.ts';

/**
 * The codes of drugs that none of the lines has, each once, as the list knows them.
 * @param printed codes that a reading found on the page.
 * @param answered codes of the answer where it differs from the lines', such as one that the list decided.
 */
export function lostCodes(
  printed: readonly string[],
  lines: readonly DrugLine[],
  answered: readonly (string | null)[] = [],
): readonly string[] {
  const codes = [...lines.map(({ drugCode }) => drugCode.value), ...answered];
  const shown = new Set(codes.map((code) => toDrugCode(code ?? '').lookup));
  const whole = printed.filter((code) => isWholeCode(code) && hasCompanyPrefix(code));
  return [...new Set(whole.map((code) => toDrugCode(code).lookup))].filter((code) => !shown.has(code));
}
