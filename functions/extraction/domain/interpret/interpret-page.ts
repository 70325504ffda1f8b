import type { DrugLine, DrugTable } from '../drug-line.ts';
import type { DocumentType } from '../extraction.ts';
import type { PageReading, ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import type { KnownPrices } from './assign-columns.ts';
import { announcedField, hasCompanyPrefix } from './column-evidence.ts';
import { type DocumentKind, kindWithDrugs, typeWithoutDrugs } from './document-kind.ts';
import { type InterpretedTable, interpretTable } from './interpret-table.ts';
import type { Candidate } from './trace.ts';

export interface InterpretedPage {
  readonly documentType: DocumentType;
  /** Finer than the type: `prescription`, `edi_claim`, `receipt`, … */
  readonly documentKind: DocumentKind;
  /** Null when the page holds no table of drugs. */
  readonly table: DrugTable | null;
}

/** Evidence needed to call a table one of drugs: a receipt too has names, quantities, prices and amounts. */
const ENOUGH_EVIDENCE = 3;
const DRUG_NAME =
  /(?:정|캡슐|캅셀|시럽|주사?|연고|크림|액|산|과립|패취|패치|플라스타|겔|로션|흡입)\W?(?:\d|$|\()|\d\s*(?:mg|㎎|mL|㎖|mcg|밀리|그램)/i;

/**
 * Finds the drug lines of a page; tables of drugs are joined in reading order.
 * @param knownPrices what the drug list knows of a printed code: tells the price column of a sheet whose header is unread.
 * @param observe is called with every table that was considered.
 */
export function interpretPage(
  reading: PageReading,
  template: Template,
  knownPrices: KnownPrices = () => [],
  observe: (candidate: Candidate) => void = () => undefined,
): InterpretedPage {
  const drugTables: InterpretedTable[] = [];
  for (const table of reading.tables) {
    const interpreted = interpretTable(table, template, knownPrices);
    const evidence = interpreted.lines.length === 0 ? 0 : drugEvidence(interpreted);
    observe({ read: table, interpreted, evidence, required: ENOUGH_EVIDENCE });
    if (evidence >= ENOUGH_EVIDENCE) drugTables.push(interpreted);
  }
  if (drugTables.length > 0) {
    const table = joinTables(drugTables);
    return { documentType: 'drug_table', documentKind: kindWithDrugs(table.columns), table };
  }
  const documentType = typeWithoutDrugs(allTexts(reading));
  return { documentType, documentKind: documentType, table: null };
}

function drugEvidence(table: InterpretedTable): number {
  const { lines, evidence, columns } = table;
  const share = (test: (line: DrugLine) => boolean) => lines.filter(test).length / lines.length;
  const codes = columns.has('drugCode') ? share(({ drugCode }) => hasCompanyPrefix(drugCode.value ?? '')) : 0;
  const words = evidence.filter((column) => column.header?.drugWord && announcedField(column) !== null).length;
  const names = share(({ drugName }) => DRUG_NAME.test(drugName.value ?? ''));
  return (codes >= 0.5 ? 3 : codes >= 0.25 ? 1.5 : 0) + Math.min(words, 3) + (names >= 0.4 ? 2 : 0);
}

function joinTables(tables: readonly InterpretedTable[]): DrugTable {
  const [first, ...others] = tables;
  if (others.length === 0) return first!;
  let offset = 0;
  const lines: DrugLine[] = [];
  const unreadRows: number[] = [];
  for (const table of tables) {
    // Rows of different tables must not look like neighbours.
    lines.push(...table.lines.map((line) => ({ ...line, row: line.row + offset })));
    unreadRows.push(...table.unreadRows.map((row) => row + offset));
    offset += Math.max(0, ...table.lines.map(({ row }) => row), ...table.unreadRows) + 2;
  }
  return {
    lines,
    columns: new Set(tables.flatMap(({ columns }) => [...columns])),
    inferredColumns: new Set(tables.flatMap(({ inferredColumns }) => [...inferredColumns])),
    printedTotals: joinTotals(tables),
    unreadRows,
    bounded: tables.every(({ bounded }) => bounded),
  };
}

/** Totals of all tables when each prints its own; a single one may stand for all, or not: then nothing can be told. */
function joinTotals(tables: readonly InterpretedTable[]): DrugTable['printedTotals'] {
  const sum = (values: readonly (number | null)[]) =>
    values.every((value) => value !== null) ? values.reduce((a, b) => a + b, 0) : null;
  return {
    totalAmount: sum(tables.map(({ printedTotals }) => printedTotals.totalAmount)),
    lineCount: sum(tables.map(({ printedTotals }) => printedTotals.lineCount)),
  };
}

function allTexts(reading: PageReading): readonly string[] {
  const cells = (table: ReadTable) => table.cells.filter(({ blank }) => !blank).map(({ text }) => text.text);
  return [...reading.texts.map(({ text }) => text), ...reading.tables.flatMap(cells)];
}
