import type { DrugLine, DrugTable } from '../drug-line.ts';
import { type DrugCode, toDrugCode } from '../master/drug-code.ts';
import type { DrugMaster, MasterDrug } from '../master/drug-master.ts';
import { compareNames, isConfirmed, OF_LIST } from '../master/drug-name.ts';
import { codesOneDigitAway } from '../master/near-codes.ts';
import { priceInForce } from '../master/price-history.ts';
import { checkName } from './check-name.ts';
import { checkPrice } from './check-price.ts';
import { codeByList } from './code-by-list.ts';
import { type Finding, red, yellow } from './finding.ts';
import { HIGH_CONFIDENCE } from './thresholds.ts';

/** Drugs that may share one name: a product before and after it changed hands. */
const MAX_SUCCESSORS = 5;

export interface Identity {
  /** As it was read, by the list where a digit was not read surely; null where none was read. */
  readonly drugCode: string | null;
  readonly drug: MasterDrug | null;
  readonly findings: readonly Finding[];
}

/**
 * Identifies the drug of a line. A nine-digit code has no check digit and one misread digit may hit another drug of the list: the
 * name has to confirm it, and no drug whose code differs in a single digit may fit name and price as well.
 * @param date ISO date of the sheet.
 */
export function checkIdentity(table: DrugTable, line: DrugLine, master: DrugMaster, date: string): Identity {
  const { confidence, text, value } = line.drugCode;
  const byList = codeByList(line, master);
  const printed = byList ?? value;
  const unknown = { drug: null, drugCode: printed };
  if (printed === null)
    return {
      ...unknown,
      findings: [codeMissing(table, text)],
    };
  const code = toDrugCode(printed);
  const present = master.find(code.lookup);
  const drug = present ?? drugOfOldCode(code, line, master);
  if (!drug) return { ...unknown, findings: [unknownCode(printed, code, master)] };
  const findings = [
    ...(present ? checkCode(printed, code) : [replaced(printed, drug)]),
    ...checkListing(drug, date, master),
    ...checkName(table, line, drug, master),
  ];
  if (byList !== null) findings.push(yellow('code_uncertain', { read: value!, byList, name: drug.name }));
  if (code.checkDigitHolds === null && findings.length === 0)
    findings.push(...checkNeighbours(line, code, drug, master));
  // A misread code is hardly that of another drug with the same name at the same price.
  const isProven = findings.length === 0 && checkPrice(line.unitPrice.value, drug, date).priceCheck === 'current';
  if (confidence < HIGH_CONFIDENCE.code && !isProven)
    findings.push(yellow('low_confidence.code', { code: printed, confidence }));
  return { drug, drugCode: printed, findings };
}

/** Each drug of a sheet without codes needs review; a line without one among others that have theirs is wrong. */
function codeMissing({ columns }: DrugTable, text: string): Finding {
  if (text) return red('code_missing.illegible', { text });
  return columns.has('drugCode') ? red('code_missing.empty', {}) : yellow('code_missing.no_column', {});
}

/** The drug that had a code before the list was renumbered; of several, the only one with the printed name. */
function drugOfOldCode({ lookup }: DrugCode, { drugName }: DrugLine, master: DrugMaster): MasterDrug | null {
  const drugs = master.findByOldCode(lookup);
  const named = drugs.filter(({ name }) => OF_LIST.has(compareNames(drugName.value ?? '', name).agreement));
  const [drug, ...others] = drugs.length > 1 ? named : drugs;
  return drug && others.length === 0 ? drug : null;
}

function replaced(printed: string, { code, name }: MasterDrug): Finding {
  return yellow('code_replaced', { code: printed, by: code, name });
}

function unknownCode(printed: string, { lookup }: DrugCode, master: DrugMaster): Finding {
  const successors = master.findByOldCode(lookup).map(({ code }) => code);
  if (successors.length > 0) return red('code_unknown.replaced', { code: printed, successors });
  return red('code_unknown.unlisted', { code: printed, version: master.info.version });
}

/** A drug that had left the list by the date of the sheet, and its successor where the list has the same name under another code. */
function checkListing(drug: MasterDrug, date: string, master: DrugMaster): Finding[] {
  const state = priceInForce(drug.prices, date);
  if (state === null || state.listed) return [];
  const [successor, ...others] = master
    .suggest(drug.name, MAX_SUCCESSORS)
    .map(({ code }) => master.find(code))
    .filter((other) => other?.name === drug.name && priceInForce(other.prices, date)?.listed);
  const only = successor && others.length === 0 ? successor.code : null;
  return [yellow('code_ended', { code: drug.code, date: state.from, successor: only })];
}

function checkCode(printed: string, code: DrugCode): Finding[] {
  if (code.checkDigitHolds === false) return [yellow('code_check_digit', { code: printed })];
  if (code.form === 'insurance' || code.form === 'standard') return [];
  return [yellow('code_incomplete', { code: printed, lookup: code.lookup })];
}

/** Drugs one digit away that the printed name and price fit too: the code alone tells them apart, as far as that digit was not read surely. */
function checkNeighbours(line: DrugLine, code: DrugCode, drug: MasterDrug, master: DrugMaster): Finding[] {
  const fits = fitting(line, drug);
  const twin = codesOneDigitAway(code.lookup)
    .filter((neighbour) => !isReadApart(line.drugCode, neighbour))
    .map((neighbour) => master.find(neighbour))
    .find((neighbour) => neighbour !== null && fits(neighbour));
  if (!twin) return [];
  const byPrice = line.unitPrice.value !== null;
  return [yellow('code_ambiguous', { code: drug.code, twin: twin.code, name: twin.name, byPrice })];
}

/** A digit read with this chance is not the other one of two codes; of 788 codes on drawn and real pages, none was misread at any. */
const SURE_DIGIT = 0.999;

/** Whether the digits in which another code differs were read surely, with no other digit possible in their places. */
function isReadApart({ value, letters, rivals }: DrugLine['drugCode'], other: string): boolean {
  if (value === null || letters === undefined || value.length !== other.length) return false;
  return [...value].every((digit, at) => digit === other[at] || (letters[at]! >= SURE_DIGIT && !rivals?.[at]));
}

/**
 * A name that confirms one drug must confirm the other, too; so far as the first one's strength is printed, the other's must be. Without a printed
 * price every price fits.
 */
function fitting(line: DrugLine, drug: MasterDrug): (other: MasterDrug) => boolean {
  const { drugName, unitPrice } = line;
  const printed = drugName.value ?? '';
  const own = compareNames(printed, drug.name);
  // A column that cuts names may have cut the strength off.
  const isComplete = isConfirmed(own) && !line.nameFillsColumn;
  return ({ prices, name }) => {
    if (unitPrice.value !== null && !prices.some(({ krw }) => krw === unitPrice.value)) return false;
    const other = compareNames(printed, name);
    if (isComplete) return isConfirmed(other);
    return OF_LIST.has(own.agreement) ? OF_LIST.has(other.agreement) : other.agreement !== 'different';
  };
}
