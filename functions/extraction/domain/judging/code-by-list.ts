import type { DrugLine } from '../drug-line.ts';
import { toDrugCode } from '../master/drug-code.ts';
import type { DrugMaster, MasterDrug } from '../master/drug-master.ts';
import { compareNames, OF_LIST } from '../master/drug-name.ts';

const CODE = /^\d{9}$/;
const DIGIT = /^\d$/;
/** Maximum changed digits of a code, and maximum codes looked up: beyond these, a match is not evidence. */
const MAX_CHANGED = 2;
const MAX_CODES = 40;

/**
 * A code as it may be read: with other digits that the reader itself held possible where it was not sure, if the list gives that code to
 * the line's own name, and no other such code. Null where the code as it was read first has the name, or nothing else has.
 */
export function codeByList(line: DrugLine, master: DrugMaster): string | null {
  const { value, rivals = [] } = line.drugCode;
  if (value === null || !CODE.test(value) || line.drugName.value === null) return null;
  const isNamed = (code: string) => {
    const drug = master.find(toDrugCode(code).lookup);
    return drug !== null && hasName(line, drug);
  };
  const codes = otherCodes(value, rivals);
  if (codes.length === 0 || codes.length > MAX_CODES || isNamed(value)) return null;
  const named = codes.filter(isNamed);
  return named.length === 1 ? named[0]! : null;
}

/** All codes that other digits at one place or two make. */
function otherCodes(value: string, rivals: readonly string[]): readonly string[] {
  let codes: readonly { readonly code: string; readonly changed: number }[] = [{ code: value, changed: 0 }];
  for (const [at, others] of rivals.entries()) {
    const digits = [...others].filter((other) => DIGIT.test(other));
    const more = codes
      .filter(({ changed }) => changed < MAX_CHANGED)
      .flatMap(({ code, changed }) =>
        digits.map((digit) => ({ code: code.slice(0, at) + digit + code.slice(at + 1), changed: changed + 1 })),
      );
    codes = [...codes, ...more];
  }
  return codes.filter(({ changed }) => changed > 0).map(({ code }) => code);
}

/** As far as the line prints it. */
function hasName({ drugName }: DrugLine, drug: MasterDrug): boolean {
  return OF_LIST.has(compareNames(drugName.value ?? '', drug.name).agreement);
}
