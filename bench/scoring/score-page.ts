import type { Item, JudgedPage, Meta } from '../../functions/extraction/domain/extraction.ts';
import { foldName } from '../../functions/extraction/domain/master/name-parts.ts';
import type { PageReading } from '../../functions/extraction/domain/reading/table-reader.ts';
import { editDistances } from '../../functions/extraction/domain/text/edit-distance.ts';
import type { PageTruth, RowTruth, TrafficLight } from '../corpus/truth.ts';
import { alignRows } from './align-rows.ts';
import { type MisprintScore, scoreMisprints } from './misprints.ts';
import { intersectionOverUnion } from './polygon.ts';
import { comparedName, EXACT_FIELDS, type ExactField } from './values.ts';

/** The scored part of an answer. */
export type ScoredAnswer = Pick<JudgedPage, 'documentType' | 'foundTable' | 'items' | 'summary' | 'geometry'> & {
  readonly meta?: Pick<Meta, 'documentKind'>;
};

/** Right ones out of all. */
export interface Count {
  readonly right: number;
  readonly of: number;
}

export interface PageScore {
  readonly id: string;
  readonly class: PageTruth['class'];
  readonly rowCount: number;
  readonly seconds: number;
  /** Why there is no answer; everything on the page then counts as wrong. */
  readonly failure: string | null;
  /** Cells of the columns that the sheet has; those of missed rows are wrong. */
  readonly cells: Readonly<Record<ExactField, Count>>;
  readonly names: Count;
  readonly misprints: MisprintScore;
  readonly nameLetters: { readonly wrong: number; readonly of: number };
  readonly rows: Count;
  readonly extraRows: number;
  readonly columns: Count;
  readonly documentType: Count;
  readonly foundTable: Count;
  /** The drawn kind, if the class draws several kinds of document. */
  readonly kind: string | null;
  /** The answer's `meta.documentKind`; null if the drawn kind has no name there. */
  readonly documentKind: Count | null;
  /** The page holds no drug table. */
  readonly withoutTable: boolean;
  readonly complete: Count;
  /** Null where the page has no right way up. */
  readonly rotation: Count | null;
  /** Null where the page's edges cannot be seen. */
  readonly quadIou: number | null;
  /** Misread cells: the reading and the print; a missed row is one mistake. */
  readonly mistakes: readonly string[];
  readonly wrongGreen: readonly WrongGreen[];
  /** Lines read without any mistake that are GREEN and deserve less: unknown codes, prices off the list, contradictions. */
  readonly undeservedGreen: readonly JudgedLine[];
  /** Lines that deserve GREEN, were read without any mistake, and did not get it. */
  readonly rightNotGreen: readonly JudgedLine[];
  /** GREEN lines that differ from the print in the marks or the spelling of a unit in their name, and in nothing else. */
  readonly greenWithOtherMarks: number;
  /** Lines that deserve GREEN in a complete table, and how many of them got it. */
  readonly greens: Count;
  /** Lines that deserve GREEN and were read without any mistake, and how many of them got it. */
  readonly rightGreens: Count;
  /** Lines read without a mistake in code and numbers, and how many got the light and price check they deserve. */
  readonly judgements: Count;
}

/** A wrong line that passes without review: the one thing that must not happen. */
export interface WrongGreen {
  readonly page: string;
  /** 1-based row of the sheet; null when the sheet has no such row. */
  readonly row: number | null;
  readonly differences: readonly string[];
}

/** A line that was read right, and how it was judged. */
export interface JudgedLine {
  readonly page: string;
  /** 1-based row of the sheet. */
  readonly row: number;
  readonly drugCode: string | null;
  readonly drugName: string | null;
  readonly status: TrafficLight;
  /** The reasons that the answer gives. */
  readonly review: readonly string[];
}

/** Names that the API has for kinds of documents without drugs. */
const NAMED_KINDS: Readonly<Record<string, Meta['documentKind']>> = {
  'blank-prescription': 'prescription',
  'hospital-bill': 'hospital_bill',
  'shop-receipt': 'receipt',
  'restaurant-receipt': 'receipt',
  'card-slip': 'receipt',
  registration: 'business_registration',
};

function scoreKind({ made, foundTable }: PageTruth, answer: ScoredAnswer | null): Count | null {
  const name = foundTable ? undefined : NAMED_KINDS[String(made.kind)];
  return name === undefined ? null : one(answer?.meta?.documentKind === name);
}

/** @param reading distinguishes misprinted names from misread ones. */
export function scorePage(
  truth: PageTruth,
  answer: ScoredAnswer | null,
  seconds: number,
  failure: string | null,
  reading: PageReading | null = null,
): PageScore {
  const tolerated = new Set(truth.table?.tolerated);
  const items = (answer?.items ?? []).filter(({ drugCode }) => drugCode === null || !tolerated.has(drugCode));
  const rows = truth.table?.rows ?? [];
  // A row that the picture's edge cuts through proves nothing, read or not.
  const pairs = alignRows(
    rows.map(({ item }) => item),
    items,
  ).filter(({ row }) => row === null || !rows[row]!.cut);
  const cells = Object.fromEntries(EXACT_FIELDS.map((field) => [field, { right: 0, of: 0 }])) as Record<
    ExactField,
    { right: number; of: number }
  >;
  const tally = {
    names: 0,
    namesRight: 0,
    letters: 0,
    lettersWrong: 0,
    found: 0,
    rows: 0,
    extra: 0,
    greens: 0,
    greensRight: 0,
    rightLines: 0,
    rightLinesGreen: 0,
    judged: 0,
    judgedRight: 0,
    greenWithOtherMarks: 0,
  };
  const wrongGreen: WrongGreen[] = [];
  const undeservedGreen: JudgedLine[] = [];
  const rightNotGreen: JudgedLine[] = [];
  const mistakes: string[] = [];

  for (const pair of pairs) {
    const item = pair.item === null ? null : items[pair.item]!;
    if (pair.row === null) {
      tally.extra++;
      mistakes.push(`extra line: ${item?.drugCode} ${item?.drugName}`);
      if (item?.status === 'GREEN') wrongGreen.push({ page: truth.id, row: null, differences: ['no such row'] });
      continue;
    }
    const row = rows[pair.row]!;
    tally.rows++;
    if (item) tally.found++;
    mistakes.push(...mistakesOf(row, item, pair.row));
    scoreCells(row, item, cells);
    scoreName(row, item);
    scoreJudgement(row, item, pair.row);
  }

  return {
    id: truth.id,
    class: truth.class,
    rowCount: rows.length,
    seconds,
    failure,
    cells,
    names: { right: tally.namesRight, of: tally.names },
    misprints: scoreMisprints(
      pairs.flatMap(({ row, item }) =>
        row === null ? [] : [{ row: rows[row]!, item: item === null ? null : items[item]! }],
      ),
      reading,
    ),
    nameLetters: { wrong: tally.lettersWrong, of: tally.letters },
    rows: { right: tally.found, of: tally.rows },
    extraRows: tally.extra,
    columns: scoreColumns(truth, items, pairs),
    documentType: one(answer?.documentType === truth.documentType),
    foundTable: one(answer?.foundTable === truth.foundTable),
    kind: typeof truth.made.kind === 'string' ? truth.made.kind : null,
    documentKind: scoreKind(truth, answer),
    withoutTable: !truth.foundTable,
    complete: truth.table ? one(answer?.summary.completeExtraction === truth.table.complete) : { right: 0, of: 0 },
    rotation: hasRightWayUp(truth) ? one(answer?.geometry.rotation === truth.geometry.rotation) : null,
    quadIou: truth.geometry.edgesVisible ? quadIou(truth, answer) : null,
    mistakes,
    wrongGreen,
    undeservedGreen,
    rightNotGreen,
    greenWithOtherMarks: tally.greenWithOtherMarks,
    greens: { right: tally.greensRight, of: tally.greens },
    rightGreens: { right: tally.rightLinesGreen, of: tally.rightLines },
    judgements: { right: tally.judgedRight, of: tally.judged },
  };

  function scoreName(row: RowTruth, item: Item | null): void {
    const name = comparedName(row.item.drugName ?? '');
    if (name === '') return;
    const read = comparedName(item?.drugName ?? '');
    tally.names++;
    tally.letters += name.length;
    if (name === read) tally.namesRight++;
    else tally.lettersWrong += Math.min(name.length, editDistances(read, name).whole);
  }

  function scoreJudgement(row: RowTruth, item: Item | null, index: number): void {
    const deservesGreen = row.status === 'GREEN' && truth.table!.complete;
    if (deservesGreen) tally.greens++;
    if (!item) return;
    if (deservesGreen && item.status === 'GREEN') tally.greensRight++;
    const differences = EXACT_FIELDS.filter((field) => item[field] !== row.item[field]);
    const named = comparedName(item.drugName ?? '') === comparedName(row.item.drugName ?? '');
    if (deservesGreen && named && differences.length === 0) {
      tally.rightLines++;
      if (item.status === 'GREEN') tally.rightLinesGreen++;
      else rightNotGreen.push(judged(item, index));
    }
    if (differences.length === 0 && truth.table!.complete) {
      tally.judged++;
      const { status, priceCheck, codeInMaster } = row;
      if (item.status === status && item.priceCheck === priceCheck && item.codeInMaster === codeInMaster)
        tally.judgedRight++;
    }
    if (item.status !== 'GREEN') return;
    const wrongFields = differs(item, row) ? [...differences, 'drugName' as const] : differences;
    if (wrongFields.length > 0)
      wrongGreen.push({
        page: truth.id,
        row: index + 1,
        differences: wrongFields.map((field) => `${field} ${item[field]} is ${row.item[field]}`),
      });
    else if (!named) tally.greenWithOtherMarks++;
    else if (row.status !== 'GREEN') undeservedGreen.push(judged(item, index));
  }

  function judged({ drugCode, drugName, status, review }: Item, index: number): JudgedLine {
    return { page: truth.id, row: index + 1, drugCode, drugName, status, review };
  }
}

/** Whether the name was read as another one: marks, and mg for 밀리그램 or ㎎, tell no drugs apart. */
function differs(item: Item, row: RowTruth): boolean {
  return foldName(item.drugName ?? '') !== foldName(row.item.drugName ?? '');
}

function mistakesOf(row: RowTruth, item: Item | null, index: number): readonly string[] {
  const place = `row ${index + 1}`;
  if (!item) return [`${place}: missed`];
  const cells = EXACT_FIELDS.filter((field) => item[field] !== row.item[field]).map(
    (field) => `${place} ${field}: ${item[field]} is ${row.item[field]}`,
  );
  const { drugName } = row.item;
  if (comparedName(item.drugName ?? '') === comparedName(drugName ?? '')) return cells;
  return [...cells, `${place} drugName: ${item.drugName} is ${drugName}`];
}

function scoreCells(row: RowTruth, item: Item | null, cells: Record<ExactField, { right: number; of: number }>): void {
  for (const field of EXACT_FIELDS) {
    if (!row.cells[field]) continue;
    cells[field].of++;
    if (item && item[field] === row.item[field]) cells[field].right++;
  }
}

/**
 * A column is in its place when most of its cells carry the right value; one that the sheet lacks, when the answer leaves
 * it empty. Misread cells do not tip it, a mixed-up column does.
 */
function scoreColumns(
  truth: PageTruth,
  items: readonly Item[],
  pairs: readonly { row: number | null; item: number | null }[],
): Count {
  if (!truth.table) return { right: 0, of: 0 };
  const { rows } = truth.table;
  const matched = pairs.filter(({ row, item }) => row !== null && item !== null);
  const share = (test: (row: RowTruth, item: Item) => boolean) =>
    matched.length === 0
      ? 0
      : matched.filter(({ row, item }) => test(rows[row!]!, items[item!]!)).length / matched.length;
  const right = EXACT_FIELDS.filter((field) =>
    rows[0]?.cells[field]
      ? share((row, item) => item[field] === row.item[field]) > 0.5
      : matched.length > 0 && share((_, item) => item[field] === null) > 0.5,
  );
  return { right: right.length, of: EXACT_FIELDS.length };
}

function quadIou(truth: PageTruth, answer: ScoredAnswer | null): number {
  if (!answer) return 0;
  const { width, height } = truth.image;
  const whole = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  return intersectionOverUnion(truth.geometry.quad, answer.geometry.crop?.sourceCorners ?? whole);
}

/** Blank sheets and landscapes can be turned at will. */
function hasRightWayUp(truth: PageTruth): boolean {
  return truth.made.kind !== 'blank' && truth.made.kind !== 'landscape';
}

function one(right: boolean): Count {
  return { right: right ? 1 : 0, of: 1 };
}
