import type { DrugLine, DrugTable } from '../drug-line.ts';
import type { DocumentType } from '../extraction.ts';
import { hasCompanyPrefix, isWholeCode } from '../master/drug-code.ts';
import { type KnownDrugs, NO_KNOWN_DRUGS } from '../master/known-drugs.ts';
import { runPasses } from '../pass.ts';
import type { Box, PageReading, ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { splitCodeAndName } from './codes/code-and-name.ts';
import { headersOverCodes } from './codes/coded-rows.ts';
import { showsCode } from './codes/shows-code.ts';
import { announcedField } from './columns/column-evidence.ts';
import { splitDoseLines } from './doses/split-dose-lines.ts';
import { splitStackedDoses } from './doses/split-stacked-doses.ts';
import { guideTable } from './guides/guide-blocks.ts';
import { findHeaders, type Header, partHeaderWords } from './headers/find-headers.ts';
import { gridHeader, withOpenCells } from './headers/grid-headers.ts';
import { splitHeader } from './headers/split-header.ts';
import { type InterpretedTable, interpretTable } from './interpret-table.ts';
import { joinContinued } from './lists/continued-tables.ts';
import { endsOnPage } from './lists/ends-on-page.ts';
import { listBelow } from './lists/list-sections.ts';
import { splitTallRows } from './lists/split-tall-rows.ts';
import { unfoldLists } from './lists/unfold-lists.ts';
import { looksLikeDrugName } from './names/drug-names.ts';
import { partGluedNumbers } from './numbers/glued-numbers.ts';
import { bestReading } from './page/best-reading.ts';
import { type DocumentKind, documentTypeOf, kindWithDrugs, kindWithoutDrugs } from './page/document-kind.ts';
import { LIST_PASSES } from './page/list-passes.ts';
import { isAboutOtherGoods } from './page/other-goods.ts';
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
}

/** How every prescription form orders what it has three columns for. */
const DOSE_ORDER = ['drugCode', 'drugName', 'quantity', 'timesPerDay', 'days'] as const;
const MIN_MEASURED_SHARE = 0.5;
const MIN_CODED_SHARE = 0.25;
const MIN_NAMED_SHARE = 0.4;
/** Evidence needed to call a table one of drugs: a receipt too has names, quantities, prices and amounts. */
const ENOUGH_EVIDENCE = 3;

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
    const evidence = showsDrugs(interpreted) ? drugEvidence(interpreted, known) : 0;
    return { read, interpreted, evidence, required: ENOUGH_EVIDENCE };
  };
  const texts = allTexts(reading);
  const tables = joinContinued(inReadingOrder(reading.tables.map(splitTallRows)), reading.texts);
  const prints = unfoldLists(printsOf({ ...reading, tables }).flatMap(partGluedNumbers), template);
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
  const drugTables = withoutSecondCopy(drugsOf(best), texts);
  const isKnown = ({ drugCode }: DrugLine) => isKnownCode(drugCode.value, known);
  const isOfDrugs = drugTables.some(({ lines }) => lines.some(isKnown)) || !isAboutOtherGoods(texts);
  if (drugTables.length > 0 && isOfDrugs) {
    const table = joinTables(drugTables);
    const documentKind = kindWithDrugs(texts, table.columns, isGuide ? 'pharmacy_guide' : 'drug_list');
    return { documentType: 'drug_table', documentKind, table, lists: listsOf(drugTables, table) };
  }
  const documentKind = kindWithoutDrugs(texts);
  return { documentType: documentTypeOf(documentKind), documentKind, table: null, lists: [] };
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

function isKnownCode(code: string | null, known: KnownDrugs): boolean {
  return code !== null && known.pricesOf(code).length > 0;
}

function drugEvidence(table: InterpretedTable, known: KnownDrugs): number {
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
  // Numbers of accounts, parcels and parts have nine digits, too, and begin like codes: where names are read, perhaps into the column behind them,
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

/** Neighbouring tables with the same columns are one list. Totals count only where every table prints its own. */
function listsOf(tables: readonly InterpretedTable[], { printedTotals }: DrugTable): readonly DrugTable[] {
  const key = ({ columns, inferredColumns }: DrugTable) =>
    [...columns].sort().join() + [...inferredColumns].sort().join();
  const groups: InterpretedTable[][] = [];
  for (const table of tables) {
    const last = groups.at(-1);
    if (last && key(last[0]!) === key(table)) last.push(table);
    else groups.push([table]);
  }
  return groups.map((group) => {
    const list = joinTables(group);
    const { totalAmount, lineCount } = list.printedTotals;
    return {
      ...list,
      printedTotals: {
        totalAmount: printedTotals.totalAmount === null ? null : totalAmount,
        lineCount: printedTotals.lineCount === null ? null : lineCount,
      },
    };
  });
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

/** Totals of all tables when each prints its own; a single one may stand for all, or not: then nothing can be concluded. */
function joinTotals(tables: readonly InterpretedTable[]): DrugTable['printedTotals'] {
  const sum = (values: readonly (number | null)[]) =>
    values.every((value) => value !== null) ? values.reduce((a, b) => a + b, 0) : null;
  return {
    totalAmount: sum(tables.map(({ printedTotals }) => printedTotals.totalAmount)),
    lineCount: sum(tables.map(({ printedTotals }) => printedTotals.lineCount)),
  };
}

/** The texts of the page, line by line; words outside of tables that are side by side form one line. */
function allTexts(reading: PageReading): readonly string[] {
  const inside = reading.tables.flatMap(({ cells }) =>
    cells.filter(({ blank }) => !blank).map(({ text }) => text.text),
  );
  const outside: { y: number; height: number; text: string }[] = [];
  for (const { box, text } of [...reading.texts].sort((a, b) => a.box.x - b.box.x)) {
    const line = outside.find(({ y, height }) => overlap(y, y + height, box.y, box.y + box.height) > 0.5 * box.height);
    if (line) line.text += text;
    else outside.push({ y: box.y, height: box.height, text });
  }
  return [...outside.map(({ text }) => text), ...inside];
}
