import type { MisprintScore } from './misprints.ts';
import type { Count, JudgedLine, PageScore, WrongGreen } from './score-page.ts';
import { EXACT_FIELDS, type ExactField, NUMERIC_FIELDS } from './values.ts';

/** Figures of a group of pages; shares are 0 to 1, null where the group has nothing of the kind. */
export interface Report {
  readonly pages: number;
  readonly lines: number;
  readonly failures: readonly { readonly page: string; readonly failure: string }[];
  readonly numericCells: number | null;
  readonly fields: Readonly<Record<ExactField, number | null>>;
  readonly namesExact: number | null;
  readonly misprints: MisprintScore;
  readonly nameCharacterErrorRate: number | null;
  readonly rowsPlaced: number | null;
  readonly extraRows: number;
  readonly columnsPlaced: number | null;
  readonly rotation: number | null;
  readonly quadIouMean: number | null;
  readonly quadIouMin: number | null;
  readonly documentType: number | null;
  readonly foundTable: number | null;
  readonly complete: number | null;
  readonly wrongGreen: readonly WrongGreen[];
  /** Lines read right that are GREEN and deserve less. */
  readonly undeservedGreen: readonly JudgedLine[];
  readonly greenWithOtherMarks: number;
  /** Share of the lines that deserve GREEN and did not get it. */
  readonly falseReview: number | null;
  /** Share of the lines that deserve GREEN and were read right, and did not get it. */
  readonly rightNotGreen: number | null;
  readonly rightLinesNotGreen: readonly JudgedLine[];
  /** Pages without a drug table that were taken for one: each costs its sender money. */
  readonly takenForTables: number;
  readonly pagesWithoutTable: number;
  readonly documentKind: number | null;
  /** Of the pages without a drug table, by the drawn kind. */
  readonly withoutTableByKind: Readonly<Record<string, KindReport>>;
  /** Share of the lines read without a mistake that were judged as they deserve. */
  readonly judgedRight: number | null;
  readonly secondsP50: number | null;
  readonly secondsP95: number | null;
  readonly secondsP50Of20Rows: number | null;
  readonly secondsP50Of40Rows: number | null;
}

export interface KindReport {
  readonly pages: number;
  readonly taken: number;
  readonly documentTypeRight: number;
}

function byKind(scores: readonly PageScore[]): Record<string, KindReport> {
  const groups: Record<string, KindReport> = {};
  for (const score of scores) {
    const kind = score.kind ?? '-';
    const { pages, taken, documentTypeRight } = groups[kind] ?? { pages: 0, taken: 0, documentTypeRight: 0 };
    groups[kind] = {
      pages: pages + 1,
      taken: taken + Number(isTaken(score)),
      documentTypeRight: documentTypeRight + score.documentType.right,
    };
  }
  return groups;
}

function isTaken({ failure, foundTable }: PageScore): boolean {
  return failure === null && foundTable.right === 0;
}

export function report(scores: readonly PageScore[]): Report {
  const share = (counts: readonly (Count | null)[]) => {
    const of = sum(counts.map((count) => count?.of ?? 0));
    return of === 0 ? null : sum(counts.map((count) => count?.right ?? 0)) / of;
  };
  const ious = scores.map(({ quadIou }) => quadIou).filter((iou) => iou !== null);
  const letters = sum(scores.map(({ nameLetters }) => nameLetters.of));
  const greens = share(scores.map((score) => score.greens));
  const rightGreens = share(scores.map((score) => score.rightGreens));
  const withoutTable = scores.filter(({ withoutTable }) => withoutTable);
  const secondsOf = (rows: number | null) =>
    scores.filter(({ rowCount }) => rows === null || rowCount === rows).map(({ seconds }) => seconds);
  return {
    pages: scores.length,
    lines: sum(scores.map(({ rows }) => rows.of)),
    failures: scores.flatMap(({ id, failure }) => (failure === null ? [] : [{ page: id, failure }])),
    numericCells: share(scores.flatMap(({ cells }) => NUMERIC_FIELDS.map((field) => cells[field]))),
    fields: Object.fromEntries(
      EXACT_FIELDS.map((field) => [field, share(scores.map(({ cells }) => cells[field]))]),
    ) as Record<ExactField, number | null>,
    namesExact: share(scores.map(({ names }) => names)),
    misprints: {
      names: sum(scores.map(({ misprints }) => misprints.names)),
      asPrinted: sum(scores.map(({ misprints }) => misprints.asPrinted)),
      changed: scores.flatMap(({ misprints }) => misprints.changed),
      green: sum(scores.map(({ misprints }) => misprints.green)),
    },
    nameCharacterErrorRate: letters === 0 ? null : sum(scores.map(({ nameLetters }) => nameLetters.wrong)) / letters,
    rowsPlaced: share(scores.map(({ rows }) => rows)),
    extraRows: sum(scores.map(({ extraRows }) => extraRows)),
    columnsPlaced: share(scores.map(({ columns }) => columns)),
    rotation: share(scores.map(({ rotation }) => rotation)),
    quadIouMean: ious.length === 0 ? null : sum(ious) / ious.length,
    quadIouMin: ious.length === 0 ? null : Math.min(...ious),
    documentType: share(scores.map(({ documentType }) => documentType)),
    foundTable: share(scores.map(({ foundTable }) => foundTable)),
    complete: share(scores.map(({ complete }) => complete)),
    wrongGreen: scores.flatMap(({ wrongGreen }) => wrongGreen),
    undeservedGreen: scores.flatMap(({ undeservedGreen }) => undeservedGreen),
    greenWithOtherMarks: sum(scores.map(({ greenWithOtherMarks }) => greenWithOtherMarks)),
    falseReview: greens === null ? null : 1 - greens,
    rightNotGreen: rightGreens === null ? null : 1 - rightGreens,
    rightLinesNotGreen: scores.flatMap(({ rightNotGreen }) => rightNotGreen),
    takenForTables: withoutTable.filter(isTaken).length,
    pagesWithoutTable: withoutTable.length,
    documentKind: share(scores.map(({ documentKind }) => documentKind)),
    withoutTableByKind: byKind(withoutTable),
    judgedRight: share(scores.map(({ judgements }) => judgements)),
    secondsP50: quantile(secondsOf(null), 0.5),
    secondsP95: quantile(secondsOf(null), 0.95),
    secondsP50Of20Rows: quantile(secondsOf(20), 0.5),
    secondsP50Of40Rows: quantile(secondsOf(40), 0.5),
  };
}

/** The smallest value that at least this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
