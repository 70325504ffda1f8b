import type { DrugLine } from '../../drug-line.ts';
import { hasCompanyPrefix } from '../../master/drug-code.ts';
import { beginsWithDate, behindDate, isDate } from '../columns/column-evidence.ts';
import type { InterpretedTable } from '../interpret-table.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';

/** Fields that state how much of a drug is given. */
export const MEASURES = ['quantity', 'days', 'prescribedQty', 'totalAmount'] as const;

/**
 * Order and claim grids list fees among the drugs: AA154, D0002020; the latter has the form of old drug codes, too. A digit may be hidden by the bar
 * to scroll by.
 */
const FEE_CODE = /^[A-Z]{1,3}\d{2,6}$/;
const LONG_FEE_CODE = /^[A-Z]{1,3}\d{7}$/;
/** A narrow column cuts codes off: MM0 of MM015, whose 0 is read as a letter among letters. */
const CUT_FEE_CODE = /^[A-Z]{2,3}[\dO]?$/;
/** The D of D0002020 read as a digit: no maker's code starts with two zeros. */
const FEE_DIGITS = /^00\d{6}$/;
const LIKELY_FEE_CODES = [LONG_FEE_CODE, CUT_FEE_CODE, FEE_DIGITS];
/** A fee's code before its name, where the two were not split; and one that was cut off. */
const CODE_BEFORE_NAME = /^[A-Z]{1,3}\d{3,7}(?![A-Z\d])/;
const CUT_BEFORE_NAME = /^[A-Z]{2,3}[\dO]{1,2} \p{Script=Hangul}/u;
const FEE_NAME = /(?:진찰|조제|조제기본|복약지도|관리|행위|투약|주사|검사|처치|촬영|수기)료/;
/** Z2000 with its letter read as a digit. */
const MISREAD_FEE_CODE = /^\d{5}$/;
/** An injection that is given, not one that is sold. */
const GIVEN_INJECTION = /내 ?(?:점적 ?)?주사$/;

export function withoutFees(table: InterpretedTable): InterpretedTable {
  // A hospital's own codes of drugs may look like those of fees.
  const hasCodes = table.lines.some(({ drugCode }) => hasCompanyPrefix(drugCode.value ?? ''));
  const isFee = ({ drugCode, drugName }: DrugLine) => {
    const name = drugName.value ?? '';
    const code = drugCode.value ?? CODE_BEFORE_NAME.exec(name)?.[0] ?? '';
    if (FEE_CODE.test(code)) return hasCodes || GIVEN_INJECTION.test(name) || !looksLikeDrugName(name);
    const isLikely =
      LIKELY_FEE_CODES.some((form) => form.test(code)) ||
      (drugCode.value === null && CUT_BEFORE_NAME.test(name)) ||
      ((drugCode.value === null || MISREAD_FEE_CODE.test(code)) && FEE_NAME.test(name));
    return isLikely && (GIVEN_INJECTION.test(name) || (/\p{L}{2}/u.test(name) && !looksLikeDrugName(name)));
  };
  const fees = table.lines.filter(isFee);
  return fees.length > 0 ? { ...table, fees, lines: table.lines.filter((line) => !isFee(line)) } : table;
}

/** A reason that the check of interactions (DUR) gives, perhaps behind the code of the drug and before the next one: JT017. */
const DUR_REASON = /^(?:\d{9}\s?)?JT\d{3}(?:\d{9})?(?!\d)/;

/** The same where its letters were misread or cut off: 11012, 1014, JT. */
const MISREAD_REASON = /^[JTI17]{1,2}\d{0,3}$/;
/** Why a drug is prescribed though another has the same ingredient: `사유코드: B`, its first letters misread. */
const LABELLED_REASON = /^\S{1,2}코드\s?(?:[:：]|[A-Z\d]?$)/;
const BARE_REASONS = [MISREAD_REASON, LABELLED_REASON];

/**
 * Removes remarks on an interaction or a repeated drug, which name codes of the list again without any number, and print that was found
 * twice.
 */
export function withoutRemarks(table: InterpretedTable): InterpretedTable {
  const measured = MEASURES.filter((field) => table.columns.has(field));
  const isBare = (line: DrugLine) => measured.every((field) => line[field].text === '');
  const seen = new Set<string>();
  const lines = table.lines.filter((line) => {
    const code = line.drugCode.value;
    const name = line.drugName.value ?? '';
    // Pen marks next to a remark may read as a number, hardly as two.
    const isHardlyMeasured = measured.filter((field) => line[field].value !== null).length < 2;
    const isAgain = measured.length > 0 && code !== null && seen.has(code);
    // A reason whose letters were misread is not a drug's name.
    const isUnnamed = measured.length > 1 && isHardlyMeasured && !looksLikeDrugName(name);
    const isBareReason =
      measured.length > 0 && code !== null && isBare(line) && BARE_REASONS.some((form) => form.test(name));
    const isReason = isBareReason || (isHardlyMeasured && DUR_REASON.test(name));
    const isRemark = isReason || (isAgain && (isBare(line) || isUnnamed));
    // The rest of a line whose upper half was cut off with the first digit of its code.
    if (code !== null) for (const known of [code, code.slice(1)]) seen.add(known);
    return !isRemark;
  });
  return lines.length < table.lines.length ? { ...table, lines } : table;
}

/**
 * Without lines of another list, as of visits or diagnoses: they have no code, and a date where drugs have a number or a code, or before a name
 * that is not a drug's.
 */
export function withoutDated(table: InterpretedTable): InterpretedTable {
  const isDated = (line: DrugLine) => {
    const [code, name] = [line.drugCode.value, line.drugName.text];
    if (code !== null) return beginsWithDate(code) && !looksLikeDrugName(name);
    const behind = behindDate(name);
    return (
      isDate(name) ||
      MEASURES.some((field) => isDate(line[field].text)) ||
      (/\p{L}{2}/u.test(behind) && !looksLikeDrugName(behind))
    );
  };
  return table.lines.some(isDated) ? { ...table, lines: table.lines.filter((line) => !isDated(line)) } : table;
}
