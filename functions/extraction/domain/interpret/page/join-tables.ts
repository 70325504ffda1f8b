import type { DrugLine, DrugTable } from '../../drug-line.ts';
import type { InterpretedTable } from '../interpret-table.ts';

/** Neighbouring tables with the same columns are one list. Totals count only where every table prints its own. */
export function listsOf(tables: readonly InterpretedTable[], { printedTotals }: DrugTable): readonly DrugTable[] {
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

export function joinTables(tables: readonly InterpretedTable[]): DrugTable {
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
