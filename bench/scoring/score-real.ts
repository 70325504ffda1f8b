import type { Item, JudgedPage } from '../../functions/extraction/domain/extraction.ts';
import { foldName } from '../../functions/extraction/domain/master/name-parts.ts';
import { editDistances } from '../../functions/extraction/domain/text/edit-distance.ts';
import { alignRows } from './align-rows.ts';
import { type RealPage, type RealRow, valuesOf } from './real-truth.ts';
import { withReview } from './reviews.ts';
import type { Count } from './score-page.ts';
import { comparedName, NUMERIC_FIELDS } from './values.ts';

export type RealAnswer = Pick<JudgedPage, 'documentType' | 'foundTable' | 'items'>;

export interface RealScore {
  readonly file: string;
  /** Lines whose code was read exactly; by name where the page prints none. */
  readonly lines: Count;
  /** Numbers that the page prints on those lines. */
  readonly fields: Count;
  /** Names of those lines, compared without blanks. */
  readonly names: Count;
  /** Numbers on those lines that the page does not print. */
  readonly inventedValues: number;
  /** Lines of the answer that stand for no line of the page. */
  readonly falseLines: number;
  readonly documentType: Count;
  readonly foundTable: Count;
  readonly billedWithoutDrugs: boolean;
  readonly green: number;
  /** Lines read without any mistake, and how many of them are GREEN. */
  readonly rightGreens: Count;
  /** Correct lines that are not GREEN, with the reasons. */
  readonly rightNotGreen: readonly string[];
  readonly wrongGreen: readonly string[];
  readonly mistakes: readonly string[];
  readonly seconds: number;
}

/** A line of the answer whose code is farther off than this, and whose name is too, was not read from the row. */
const MAX_CODE_DISTANCE = 3;
const MAX_NAME_DISTANCE = 0.5;

/** @param answer null when the page failed. */
export function scoreReal(page: RealPage, answer: RealAnswer | null, seconds: number): RealScore {
  const rows = page.expected.rows ?? [];
  const tolerated = page.expected.secondGrid?.row?.code;
  const items = (answer?.items ?? []).filter(({ drugCode }) => drugCode === null || drugCode !== tolerated);
  const tally = { lines: 0, fields: 0, fieldsOf: 0, names: 0, namesOf: 0, invented: 0, falseLines: 0, right: 0 };
  const wrongGreen: string[] = [];
  const rightNotGreen: string[] = [];
  const mistakes: string[] = [];
  for (const pair of alignRows(rows.map(valuesOf), items)) {
    const row = pair.row === null ? null : rows[pair.row]!;
    const paired = pair.item === null ? null : items[pair.item]!;
    const item = row && paired && standsFor(paired, row) ? paired : null;
    if (paired && !item) {
      tally.falseLines++;
      mistakes.push(`false line: ${paired.drugCode} ${paired.drugName}`);
      if (paired.status === 'GREEN') wrongGreen.push(`false line ${paired.drugCode} ${paired.drugName}`);
    }
    if (row) scoreRow(row, item, `row ${pair.row! + 1}`);
  }
  const foundTable = answer?.foundTable ?? null;
  return {
    file: page.file,
    lines: { right: tally.lines, of: rows.length },
    fields: { right: tally.fields, of: tally.fieldsOf },
    names: { right: tally.names, of: tally.namesOf },
    inventedValues: tally.invented,
    falseLines: tally.falseLines,
    documentType: { right: answer?.documentType === page.documentTypeExpected ? 1 : 0, of: 1 },
    foundTable: { right: foundTable === page.hasDrugTable ? 1 : 0, of: 1 },
    billedWithoutDrugs: foundTable === true && !page.hasDrugTable,
    green: items.filter(({ status }) => status === 'GREEN').length,
    rightGreens: { right: tally.right - rightNotGreen.length, of: tally.right },
    rightNotGreen,
    wrongGreen,
    mistakes,
    seconds,
  };

  function scoreRow(row: RealRow, item: Item | null, place: string): void {
    if (!item) {
      mistakes.push(`${place}: missed (${row.drugCode ?? row.drugName})`);
      return;
    }
    const differences: string[] = [];
    const printed = NUMERIC_FIELDS.filter((field) => row[field] !== undefined && row[field] !== null);
    const invented = NUMERIC_FIELDS.filter((field) => row[field] === undefined && item[field] !== null);
    const right = printed.filter((field) => item[field] === numberOf(row[field]!));
    for (const field of [...printed.filter((one) => !right.includes(one)), ...invented])
      differences.push(`${field} ${item[field]} is ${row[field] ?? 'not printed'}`);
    const found = isFound(item, row);
    if (found) {
      tally.lines++;
      tally.fields += right.length;
      tally.fieldsOf += printed.length;
      tally.invented += invented.length;
    } else differences.push(`drugCode ${item.drugCode} is ${row.drugCode}`);
    if (row.drugName) {
      const named = sameName(item, row);
      if (found) tally.namesOf++;
      if (found && named) tally.names++;
      if (!named) differences.push(`drugName ${item.drugName} is ${row.drugName}`);
    }
    mistakes.push(...differences.map((one) => `${place}: ${one}`));
    if (differences.length === 0) {
      tally.right++;
      if (item.status !== 'GREEN') rightNotGreen.push(`${place}: ${withReview(item)}`);
    }
    // Marks, and mg for 밀리그램, tell no drugs apart: such a line is a misread name, and still no wrong line.
    const harmless = foldName(item.drugName ?? '') === foldName(row.drugName ?? '') ? 'drugName ' : null;
    const wrong = differences.filter((one) => harmless === null || !one.startsWith(harmless));
    if (item.status === 'GREEN' && wrong.length > 0) wrongGreen.push(`${place}: ${wrong.join('; ')}`);
  }
}

/** Amounts are printed in groups of three: 19,080. */
function numberOf(printed: string | number): number {
  return Number(String(printed).replaceAll(',', ''));
}

function isFound(item: Item, row: RealRow): boolean {
  return row.drugCode ? item.drugCode === row.drugCode : sameName(item, row);
}

function sameName(item: Item, row: RealRow): boolean {
  return comparedName(item.drugName ?? '') === comparedName(row.drugName ?? '');
}

function standsFor(item: Item, row: RealRow): boolean {
  if (item.drugCode && row.drugCode && editDistances(item.drugCode, row.drugCode).whole <= MAX_CODE_DISTANCE)
    return true;
  const read = comparedName(item.drugName ?? '');
  const printed = comparedName(row.drugName ?? '');
  if (read === '' || printed === '') return false;
  return editDistances(read, printed).whole <= MAX_NAME_DISTANCE * Math.max(read.length, printed.length);
}
