import type { DrugTable } from '../drug-line.ts';
import type { DocumentType } from '../extraction.ts';
import { hasCompanyPrefix, isWholeCode } from '../master/drug-code.ts';
import { type KnownDrugs, NO_KNOWN_DRUGS } from '../master/known-drugs.ts';
import { runPasses } from '../pass.ts';
import type { Box, PageReading, ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { splitCodeAndName } from './codes/code-and-name.ts';
import { headersOverCodes } from './codes/coded-rows.ts';
import { showsCode } from './codes/shows-code.ts';
import { splitDoseLines } from './doses/split-dose-lines.ts';
import { splitStackedDoses } from './doses/split-stacked-doses.ts';
import { guideTable } from './guides/guide-blocks.ts';
import { findHeaders, type Header, joinHeaderWords, partHeaderWords } from './headers/find-headers.ts';
import { gridHeader, withOpenCells } from './headers/grid-headers.ts';
import { splitHeader } from './headers/split-header.ts';
import { type InterpretedTable, interpretTable } from './interpret-table.ts';
import { joinContinued } from './lists/continued-tables.ts';
import { endsOnPage } from './lists/ends-on-page.ts';
import { listBelow } from './lists/list-sections.ts';
import { splitTallRows } from './lists/split-tall-rows.ts';
import { unfoldLists } from './lists/unfold-lists.ts';
import { partGluedNumbers } from './numbers/glued-numbers.ts';
import { allTexts } from './page/all-texts.ts';
import { bestReading } from './page/best-reading.ts';
import { type DocumentKind, documentTypeOf, kindWithDrugs, kindWithoutDrugs } from './page/document-kind.ts';
import { drugEvidence, ENOUGH_EVIDENCE } from './page/drug-evidence.ts';
import { joinTables, listsOf } from './page/join-tables.ts';
import { LIST_PASSES } from './page/list-passes.ts';
import { areOfDrugs } from './page/other-goods.ts';
import { MEASURES } from './page/other-lines.ts';
import { inReadingOrder, sharesPlace } from './page/reading-order.ts';
import { withoutSecondCopy } from './page/second-copy.ts';
import { overlap, type Print, printsOf } from './print.ts';
import type { Candidate } from './trace.ts';

export interface InterpretedPage {
  readonly documentType: DocumentType;
  /** Finer than the type: `prescription`, `edi_claim`, `receipt`, … */
  readonly documentKind: DocumentKind;
  /** Null when the page holds no table of drugs. */
  readonly table: DrugTable | null;
  /** The same lines by list, for lists with different columns: no list is judged by another's columns. */
  readonly lists: readonly DrugTable[];
  /** Whole drug codes that the page prints: those of lines of any list that was considered, and those that the drug list has. */
  readonly codes: readonly string[];
}

/** How every prescription form orders what it has three columns for. */
const DOSE_ORDER = ['drugCode', 'drugName', 'quantity', 'timesPerDay', 'days'] as const;

/**
 * Finds the drug lines of a page; tables of drugs are joined in reading order.
 * @param known prices of the drug list identify the price column of a sheet with an unread header, and its names a list without codes.
 * @param observe is called with every list of the best reading, and every grid that holds none.
 */
export function interpretPage(
  reading: PageReading,
  template: Template,
  known: KnownDrugs = NO_KNOWN_DRUGS,
  observe: (candidate: Candidate) => void = () => undefined,
): InterpretedPage {
  const isDrawn = reading.image.drawn;
  const candidateOf = (read: ReadTable, by: Template): Candidate => {
    const interpreted = runPasses(LIST_PASSES, interpretTable(read, by, known, isDrawn));
    return { read, interpreted, evidence: drugEvidence(interpreted, known), required: ENOUGH_EVIDENCE };
  };
  const texts = allTexts(reading);
  const tables = joinContinued(inReadingOrder(reading.tables.map(splitTallRows)), reading.texts);
  const read = joinHeaderWords(printsOf({ ...reading, tables }), template);
  const prints = unfoldLists(read.flatMap(partGluedNumbers), template);
  const isForm = kindWithDrugs(texts, new Set()) === 'prescription';
  const ordered = isForm ? { ...template, columnOrder: DOSE_ORDER } : template;
  const dosed = splitDoseLines(splitStackedDoses(prints), template);
  const parted = partHeaderWords(dosed, template);
  const headers = findHeaders(parted, template).flatMap(splitHeader).map(withOpenCells);
  const codes = codesIn(prints);
  const isWhole = (list: Box) => endsOnPage(list, reading);
  const lists = listTables(parted, headers, isWhole);
  const grids = gridTables(tables, parted, template);
  const others = grids.filter(({ box }) => !lists.some((list) => sharesPlace(list.box, box)));
  const candidates = new Map([...lists, ...grids].map((read) => [read, candidateOf(read, ordered)]));
  const readings = [[...lists, ...others], grids].map((found) =>
    inReadingOrder(found).map((read) => candidates.get(read)!),
  );
  if (!readings.map(drugsOf).some((found) => isMeasured(found) && showsAll(codes, found)))
    readings.push(inReadingOrder(codedTables(dosed, isWhole)).map((read) => candidateOf(read, ordered)));
  // A guide prints no codes, but labels and values that may be read as a header and a line.
  const isUnderstood = readings.map(drugsOf).some((found) => isMeasured(found) && isCoded(found));
  const guide = isUnderstood ? [] : guideTables(prints, template).map((read) => candidateOf(read, template));
  const best = bestReading([...readings, guide], drugsOf);
  const isGuide = best === guide;
  for (const candidate of [...best, ...withoutList(tables, best)]) observe(candidate);
  const inLines = new Set(
    readings.flat().flatMap(({ interpreted }) => interpreted.lines.map(({ drugCode }) => drugCode.value)),
  );
  const found = codes.filter((code) => inLines.has(code) || known.pricesOf(code).length > 0);
  const drugTables = withoutSecondCopy(drugsOf(best), texts);
  if (drugTables.length > 0 && areOfDrugs(drugTables, texts, known)) {
    const table = joinTables(drugTables);
    const documentKind = kindWithDrugs(texts, table.columns, isGuide ? 'pharmacy_guide' : 'drug_list');
    return { documentType: 'drug_table', documentKind, table, lists: listsOf(drugTables, table), codes: found };
  }
  const documentKind = kindWithoutDrugs(texts);
  return { documentType: documentTypeOf(documentKind), documentKind, table: null, lists: [], codes: found };
}

/** The tables of a reading that show enough evidence of drugs. */
function drugsOf(candidates: readonly Candidate[]): readonly InterpretedTable[] {
  return candidates.filter(({ evidence, required }) => evidence >= required).map(({ interpreted }) => interpreted);
}

/** The form's grids in which a reading found no list. */
function withoutList(tables: readonly ReadTable[], found: readonly Candidate[]): readonly Candidate[] {
  return tables
    .filter(({ box }) => !found.some(({ read }) => sharesPlace(read.box, box)))
    .map((read) => ({
      read,
      interpreted: { ...NO_LINES, bounded: read.bounded },
      evidence: 0,
      required: ENOUGH_EVIDENCE,
    }));
}

const NO_LINES: InterpretedTable = {
  lines: [],
  columns: new Set(),
  inferredColumns: new Set(),
  printedTotals: { totalAmount: null, lineCount: null },
  unreadRows: [],
  bounded: true,
  evidence: [],
};

/** The whole drug codes that a page prints. */
function codesIn(prints: readonly Print[]): readonly string[] {
  return prints
    .map((print) => splitCodeAndName(print)?.code.text ?? '')
    .filter((code) => isWholeCode(code) && hasCompanyPrefix(code));
}

/** Whether every one of these codes is a line's. */
function showsAll(codes: readonly string[], tables: readonly InterpretedTable[]): boolean {
  const shown = new Set(tables.flatMap(({ lines }) => lines.map(({ drugCode }) => drugCode.value)));
  return codes.every((code) => shown.has(code));
}

/** Whether most drugs have a number, so that no other interpretation of the page can be better. */
function isMeasured(tables: readonly InterpretedTable[]): boolean {
  const lines = tables.flatMap((table) => table.lines);
  const measured = lines.filter((line) => MEASURES.some((field) => line[field].value !== null));
  return measured.length > lines.length / 2;
}

function isCoded(tables: readonly InterpretedTable[]): boolean {
  return tables.some(({ lines }) => lines.some(({ drugCode }) => hasCompanyPrefix(drugCode.value ?? '')));
}

/** The lists below the page's headers, each as a separate table. */
function listTables(
  prints: readonly Print[],
  headers: readonly Header[],
  isWhole: (list: Box) => boolean,
): readonly ReadTable[] {
  return headers.flatMap((header, index) => {
    const { x, width } = header.box;
    const next = headers.slice(index + 1).find(({ box }) => overlap(box.x, box.x + box.width, x, x + width) > 0);
    return listBelow(header, prints, next?.box.y ?? Number.POSITIVE_INFINITY, isWhole) ?? [];
  });
}

/** The lists of the form's grids, by their columns alone: of those that show codes of drugs. */
function gridTables(tables: readonly ReadTable[], prints: readonly Print[], template: Template): readonly ReadTable[] {
  const coded = new Set(prints.filter(showsCode).map(({ table }) => table));
  return tables
    .filter((table) => coded.has(table))
    .flatMap((table) => {
      const header = gridHeader(table, prints, template);
      return header ? (listBelow(header, prints, table.box.y + table.box.height, () => table.bounded) ?? []) : [];
    });
}

function guideTables(prints: readonly Print[], template: Template): readonly ReadTable[] {
  const table = guideTable(prints, template);
  return table ? [table] : [];
}

/** Lists of codes whose headers cannot be read. */
function codedTables(prints: readonly Print[], isWhole: (list: Box) => boolean): readonly ReadTable[] {
  return headersOverCodes(prints).flatMap(
    (header) => listBelow(header, prints, Number.POSITIVE_INFINITY, isWhole) ?? [],
  );
}
