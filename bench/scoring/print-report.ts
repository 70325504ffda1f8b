import { FORM_CLASSES } from '../corpus/truth.ts';
import type { Report } from './report.ts';
import { judgedLine, printReviews } from './reviews.ts';

const ROWS: readonly (readonly [label: string, figure: (report: Report) => string])[] = [
  ['pages', ({ pages }) => String(pages)],
  ['lines', ({ lines }) => String(lines)],
  ['pages failed', ({ failures }) => String(failures.length)],
  ['numeric cells exact %', ({ numericCells }) => percent(numericCells)],
  ['  quantity', ({ fields }) => percent(fields.quantity)],
  ['  days', ({ fields }) => percent(fields.days)],
  ['  prescribedQty', ({ fields }) => percent(fields.prescribedQty)],
  ['  unitPrice', ({ fields }) => percent(fields.unitPrice)],
  ['  totalAmount', ({ fields }) => percent(fields.totalAmount)],
  ['drugCode exact %', ({ fields }) => percent(fields.drugCode)],
  ['names exact %', ({ namesExact }) => percent(namesExact)],
  ['misprinted names', ({ misprints }) => String(misprints.names)],
  ['  as printed %', ({ misprints: { names, asPrinted } }) => percent(names === 0 ? null : asPrinted / names)],
  ['  read so, changed', ({ misprints }) => String(misprints.changed.length)],
  ['  GREEN', ({ misprints }) => String(misprints.green)],
  ['name CER %', ({ nameCharacterErrorRate }) => percent(nameCharacterErrorRate)],
  ['rows placed %', ({ rowsPlaced }) => percent(rowsPlaced)],
  ['extra rows', ({ extraRows }) => String(extraRows)],
  ['columns placed %', ({ columnsPlaced }) => percent(columnsPlaced)],
  ['rotation right %', ({ rotation }) => percent(rotation)],
  ['quad IoU mean', ({ quadIouMean }) => decimal(quadIouMean, 4)],
  ['quad IoU min', ({ quadIouMin }) => decimal(quadIouMin, 4)],
  ['documentType right %', ({ documentType }) => percent(documentType)],
  ['documentKind right %', ({ documentKind }) => percent(documentKind)],
  ['foundTable right %', ({ foundTable }) => percent(foundTable)],
  [
    'taken for drug tables',
    ({ takenForTables, pagesWithoutTable }) =>
      pagesWithoutTable === 0 ? '-' : `${takenForTables}/${pagesWithoutTable}`,
  ],
  ['completeExtraction right %', ({ complete }) => percent(complete)],
  ['wrong lines GREEN', ({ wrongGreen }) => String(wrongGreen.length)],
  ['GREEN, deserve less', ({ undeservedGreen }) => String(undeservedGreen.length)],
  ['GREEN, marks differ', ({ greenWithOtherMarks }) => String(greenWithOtherMarks)],
  ['false review %', ({ falseReview }) => percent(falseReview)],
  ['right lines not GREEN %', ({ rightNotGreen }) => percent(rightNotGreen)],
  ['judged right %', ({ judgedRight }) => percent(judgedRight)],
  ['s/page p50', ({ secondsP50 }) => decimal(secondsP50, 2)],
  ['s/page p95', ({ secondsP95 }) => decimal(secondsP95, 2)],
  ['s/page p50, 20 rows', ({ secondsP50Of20Rows }) => decimal(secondsP50Of20Rows, 2)],
  ['s/page p50, 40 rows', ({ secondsP50Of40Rows }) => decimal(secondsP50Of40Rows, 2)],
];

/** One figure a line, one group of pages a column; then what must be looked at one by one. */
export function printReport(reports: Readonly<Record<string, Report>>): string {
  const groups = Object.entries(reports);
  const labelWidth = Math.max(...ROWS.map(([label]) => label.length)) + 2;
  const cellWidth = Math.max(9, ...groups.map(([name]) => name.length + 2));
  const line = (label: string, cells: readonly string[]) =>
    label.padEnd(labelWidth) + cells.map((cell) => cell.padStart(cellWidth)).join('');
  const table = [
    line(
      '',
      groups.map(([name]) => name),
    ),
    ...ROWS.map(([label, figure]) =>
      line(
        label,
        groups.map(([, group]) => figure(group)),
      ),
    ),
  ];
  const all = reports.all ?? groups.at(-1)?.[1];
  const wrong = all?.wrongGreen.map(
    ({ page, row, differences }) => `wrong and GREEN: ${page} row ${row ?? '-'}: ${differences.join('; ')}`,
  );
  const undeserved = all?.undeservedGreen.map((one) => `GREEN, deserves less: ${judgedLine(one)}`);
  const changed = all?.misprints.changed.map((name) => `misprinted, read so and changed: ${name}`);
  const bars = groups.flatMap(([name, group]) => barsOf(name, group));
  const failed = all?.failures.map(({ page, failure }) => `failed: ${page}: ${failure}`);
  const kinds = reports.negative ? kindsOf(reports.negative) : [];
  const reviews = printReviews(
    groups.map(([name, { rightLinesNotGreen }]) => [name, rightLinesNotGreen]),
    line,
  );
  return [
    ...table,
    ...reviews,
    ...bars,
    ...kinds,
    ...(changed ?? []),
    ...(wrong ?? []),
    ...(undeserved ?? []),
    ...(failed ?? []),
  ].join('\n');
}

/** Pages of each kind that were taken for drug tables, and those whose documentType is right. */
function kindsOf({ withoutTableByKind }: Report): string[] {
  return Object.entries(withoutTableByKind)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([kind, { pages, taken, documentTypeRight }]) =>
        `  ${kind.padEnd(20)} taken ${taken}/${pages}, documentType right ${documentTypeRight}/${pages}`,
    );
}

/** Bars for the classes of real paper. */
const FORM_BARS: readonly (readonly [label: string, atLeast: number, figure: (report: Report) => number | null])[] = [
  ['codes', 0.99, ({ fields }) => fields.drugCode],
  ['numerals', 0.985, ({ numericCells }) => numericCells],
  ['names', 0.93, ({ namesExact }) => namesExact],
];
const MAX_TAKEN_SHARE = 0.005;
const MAX_RIGHT_NOT_GREEN = 0.05;

/** One line for each class with bars. */
function barsOf(name: string, report: Report): string[] {
  const met = (reached: boolean) => (reached ? 'met' : 'missed');
  const parts: string[] = [];
  if (name === 'negative') {
    const share = report.takenForTables / report.pagesWithoutTable;
    parts.push(`taken for drug tables ${percent(share)} of 0.50 at most: ${met(share <= MAX_TAKEN_SHARE)}`);
  } else if ((FORM_CLASSES as readonly string[]).includes(name))
    for (const [label, atLeast, figure] of FORM_BARS) {
      const share = figure(report);
      if (share !== null) parts.push(`${label} ${percent(share)} of ${percent(atLeast)}: ${met(share >= atLeast)}`);
    }
  else if (name !== 'screen' && name !== 'scan' && name !== 'photo') return [];
  if (report.rightNotGreen !== null)
    parts.push(
      `right lines not GREEN ${percent(report.rightNotGreen)} of 5.00 at most: ${met(report.rightNotGreen <= MAX_RIGHT_NOT_GREEN)}`,
    );
  return parts.length === 0 ? [] : [`bars of ${name}: ${parts.join('; ')}`];
}

function percent(share: number | null): string {
  return share === null ? '-' : (share * 100).toFixed(2);
}

function decimal(value: number | null, places: number): string {
  return value === null ? '-' : value.toFixed(places);
}
