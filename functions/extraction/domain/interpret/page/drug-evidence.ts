import type { DrugLine } from '../../drug-line.ts';
import { hasCompanyPrefix, isWholeCode } from '../../master/drug-code.ts';
import type { KnownDrugs } from '../../master/known-drugs.ts';
import { announcedField } from '../columns/column-evidence.ts';
import type { InterpretedTable } from '../interpret-table.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { MEASURES } from './other-lines.ts';

const MIN_MEASURED_SHARE = 0.5;
const MIN_CODED_SHARE = 0.25;
const MIN_NAMED_SHARE = 0.4;
/** Evidence needed to call a table one of drugs: a receipt too has names, quantities, prices and amounts. */
export const ENOUGH_EVIDENCE = 3;

/** How surely a table is one of drugs, by its codes, the words of its header and its names; 0 if it shows no drugs with numbers. */
export function drugEvidence(table: InterpretedTable, known: KnownDrugs): number {
  return showsDrugs(table) ? evidenceOf(table, known) : 0;
}

/** Numbers in columns are not enough: drugs by code or name are required, most of them with a dose, days or an amount. */
function showsDrugs({ lines, columns, evidence }: InterpretedTable): boolean {
  if (lines.length === 0) return false;
  const share = (test: (line: DrugLine) => boolean) => lines.filter(test).length / lines.length;
  const announced = evidence.some(
    ({ header }) => header?.drugWord && (header.kind === 'drugName' || header.kind === 'drugCode'),
  );
  const identified =
    announced ||
    share(({ drugCode }) => hasCompanyPrefix(drugCode.value ?? '')) >= MIN_CODED_SHARE ||
    share(({ drugName }) => looksLikeDrugName(drugName.value ?? '')) >= MIN_NAMED_SHARE;
  const measured = share((line) => MEASURES.some((field) => columns.has(field) && line[field].value !== null));
  if (identified && measured >= MIN_MEASURED_SHARE) return true;
  // Whole codes with adjacent columns of numbers, even if these are unidentified, or with columns for a dose or days whose numbers were
  // not read.
  const coded = share(({ drugCode }) => isWholeCode(drugCode.value ?? '') && hasCompanyPrefix(drugCode.value!));
  return (
    coded >= MIN_MEASURED_SHARE &&
    evidence.some(
      ({ header, numericShare, codeShare, isSerial }) =>
        (numericShare >= 0.5 && codeShare < 0.5 && !isSerial) ||
        (header?.drugWord && MEASURES.some((field) => field === header.kind)),
    )
  );
}

function evidenceOf(table: InterpretedTable, known: KnownDrugs): number {
  const { lines, evidence, columns } = table;
  const share = (test: (line: DrugLine) => boolean) => lines.filter(test).length / lines.length;
  // Before names in one column with them, whole codes alone.
  const isCode = (code: string) => hasCompanyPrefix(code) && (columns.has('drugCode') || isWholeCode(code));
  const coded = lines.filter(({ drugCode }) => isCode(drugCode.value ?? ''));
  // A lone number of eight digits is hardly a code that lost its zero: cells of a form's block of licences join to one.
  const isCoded = coded.length > 1 || coded.some(({ drugCode }) => isWholeCode(drugCode.value!));
  const codes = isCoded ? coded.length / lines.length : 0;
  const words = evidence.filter((column) => column.header?.drugWord && announcedField(column) !== null).length;
  const names = share(({ drugName }) => looksLikeDrugName(drugName.value ?? ''));
  // Numbers of accounts, parcels and parts have nine digits, too, and start like codes: where names are read, perhaps into the column behind them,
  // those of drugs read so, or the drug list knows a code.
  const beside = ({ drugName, quantity }: DrugLine) => drugName.value ?? quantity.text;
  const named = share((line) => /\p{L}{2}/u.test(beside(line)));
  // A lone one without any name, where no header was read, may be noise.
  const isNoise = lines.length === 1 && named === 0 && words === 0;
  const isDoubted =
    (named >= MIN_MEASURED_SHARE || isNoise) &&
    share((line) => looksLikeDrugName(beside(line))) < MIN_NAMED_SHARE &&
    !coded.some(({ drugCode }) => isKnownCode(drugCode.value, known));
  const shown =
    (codes >= 0.5 && !isDoubted ? 3 : codes >= MIN_CODED_SHARE ? 1.5 : 0) +
    Math.min(words, 3) +
    (names >= MIN_NAMED_SHARE ? 2 : 0);
  if (shown >= ENOUGH_EVIDENCE) return shown;
  // Purchase lists without codes head their names and amounts as those of any goods are: 품명, 수량, 단가, 금액.
  const isListed = ({ drugName }: DrugLine) => drugName.value !== null && known.isNamed(drugName.value);
  return shown + (share(isListed) >= MIN_NAMED_SHARE ? 2 : 0);
}

export function isKnownCode(code: string | null, known: KnownDrugs): boolean {
  return code !== null && known.pricesOf(code).length > 0;
}
