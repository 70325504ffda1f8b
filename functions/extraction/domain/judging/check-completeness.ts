import type { DrugTable } from '../drug-line.ts';
import { amountIsProven } from './check-arithmetic.ts';
import { type Finding, yellow } from './finding.ts';

export interface Completeness {
  /** Specification 1 §2.5: null when it cannot be told. */
  readonly completeExtraction: boolean | null;
  /** By index of line. */
  readonly findings: ReadonlyMap<number, readonly Finding[]>;
}

/** Whether every row gave a line and the sheet's totals agree; lines about a gap need a look. */
export function checkCompleteness(table: DrugTable): Completeness {
  const findings = new Map<number, Finding[]>();
  const note = (index: number, finding: Finding) => {
    const notes = findings.get(index) ?? [];
    if (!notes.some(({ code, text }) => code === finding.code && text === finding.text)) notes.push(finding);
    findings.set(index, notes);
  };

  for (const row of table.unreadRows)
    for (const index of neighboursOf(table, row))
      note(index, yellow('table_incomplete', 'a row of the table beside this line could not be read'));
  if (!table.bounded)
    for (const index of [0, table.lines.length - 1])
      if (table.lines[index])
        note(index, yellow('table_incomplete', 'the table is cut off by the edge of the picture'));
  const gaps = table.unreadRows.length > 0 || !table.bounded;

  const total = compareTotal(table);
  if (total.agrees === false && !gaps)
    for (const index of suspects(table)) note(index, yellow('total_mismatch', total.text));
  const count = table.printedTotals.lineCount;
  const countAgrees = count === null ? null : count === table.lines.length;
  if (countAgrees === false)
    table.lines.forEach((_, index) => {
      note(index, yellow('table_incomplete', `the sheet counts ${count} lines; ${table.lines.length} were read`));
    });

  return { completeExtraction: conclude(table, gaps, total, countAgrees), findings };
}

interface TotalComparison {
  /** Null when the sheet prints no total, or the lines' sum is not known. */
  readonly agrees: boolean | null;
  readonly text: string;
}

function compareTotal(table: DrugTable): TotalComparison {
  const printed = table.printedTotals.totalAmount;
  const amounts = table.lines.map(({ totalAmount }) => totalAmount.value);
  if (printed === null || amounts.some((amount) => amount === null)) return { agrees: null, text: '' };
  const sum = amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
  return { agrees: sum === printed, text: `the amounts add up to ${sum}; the sheet prints the total ${printed}` };
}

/** Lines that may explain a total that differs: those whose amount nothing vouches for; if there is none, any line. */
function suspects(table: DrugTable): readonly number[] {
  const all = table.lines.map((_, index) => index);
  const doubtful = all.filter((index) => !amountIsProven(table, index));
  return doubtful.length > 0 ? doubtful : all;
}

function conclude(
  table: DrugTable,
  gaps: boolean,
  total: TotalComparison,
  countAgrees: boolean | null,
): boolean | null {
  if (gaps || total.agrees === false || countAgrees === false) return false;
  if (table.lines.length === 0) return null;
  const totalUnknown = table.printedTotals.totalAmount !== null && total.agrees === null;
  return totalUnknown ? null : true;
}

/** The nearest lines over and under a row. */
function neighboursOf(table: DrugTable, row: number): readonly number[] {
  const above = table.lines.findLastIndex((line) => line.row < row);
  const below = table.lines.findIndex((line) => line.row > row);
  return [above, below].filter((index) => index >= 0);
}
