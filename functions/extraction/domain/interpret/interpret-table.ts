import type { DrugLine, DrugTable } from '../drug-line.ts';
import { hasCompanyPrefix } from '../master/drug-code.ts';
import type { KnownDrugs } from '../master/known-drugs.ts';
import { runPasses } from '../pass.ts';
import { range } from '../range.ts';
import type { ReadCell, ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { splitCodeAndName } from './codes/code-and-name.ts';
import { assignColumns, inferredFields, returnedField } from './columns/assign-columns.ts';
import { type ColumnEvidence, gatherEvidence, isCodeLike } from './columns/column-evidence.ts';
import { EVIDENCE_PASSES } from './columns/evidence-passes.ts';
import { dailyColumnOf } from './doses/daily-dose.ts';
import { Grid } from './grid.ts';
import { lineReader } from './line-reader.ts';
import { joinHalves } from './lists/halved-lines.ts';
import { isLine, isNote, isRemark, isSpeck, isStray, isTitle, showsWord } from './lists/line-rows.ts';
import { isListEnd } from './lists/list-marks.ts';
import { isUnlabelledTotal, PrintedTotals } from './lists/printed-totals.ts';
import { isBodyLike, isRepeatedHeader, isSection, totalKind } from './lists/row-kinds.ts';
import { TABLE_PASSES } from './table-passes.ts';

export interface InterpretedTable extends DrugTable {
  readonly evidence: readonly ColumnEvidence[];
}

/** Columns, lines and totals of one table, its header in the first row, whether it holds drugs or not. @param isDrawn whether its letters are as sharp as a program draws them. */
export function interpretTable(
  table: ReadTable,
  template: Template,
  known: KnownDrugs,
  isDrawn: boolean,
): InterpretedTable {
  const grid = new Grid(runPasses(TABLE_PASSES, table, template));
  const bodyRows = range(1, grid.rowCount);
  const lineRows = bodyRows.filter((row) => isBodyLike(grid.inked(row)) && totalKind(grid.inked(row)) === null);
  const gathered = range(0, grid.columnCount).map((column) => gatherEvidence(grid, column, lineRows, template));
  const evidence = runPasses(EVIDENCE_PASSES, gathered, { grid, lines: lineRows });
  const assigned = assignColumns(evidence, template, known);
  const columns = new Map([...assigned].map(([field, column]) => [returnedField(field, assigned), column]));
  const readLine = lineReader(grid, columns, lineRows, { dailyColumn: dailyColumnOf(evidence, columns), isDrawn });

  const lines: DrugLine[] = [];
  const unreadRows: number[] = [];
  const totals = new PrintedTotals();
  let isOver = false;
  const lastRow = (shows: (cell: ReadCell) => boolean) =>
    bodyRows.findLast((row) => grid.inked(row).some(shows)) ?? grid.rowCount;
  const lastCoded = lastRow(isCodeLike);
  const lastNamed = lastRow(
    (cell) => isCodeLike(cell) || hasCompanyPrefix(splitCodeAndName(cell.text)?.code.text ?? ''),
  );
  for (const row of bodyRows) {
    const cells = grid.inked(row);
    if (cells.length === 0) continue;
    isOver ||= cells.some(({ text }) => isListEnd(text.text));
    const kind = totalKind(cells) ?? (isUnlabelledTotal(cells, grid, columns, lines) ? 'grand' : null);
    if (kind === 'part') continue;
    if (kind) totals.add(kind, cells, grid, columns);
    else if (isRepeatedHeader(cells, template)) continue;
    else {
      const line = readLine(row);
      const isBelow = row > lastCoded || (row > lastNamed && !showsWord(line));
      if ((isBelow && isStray(cells, line)) || isTitle(line) || (isOver && isRemark(line))) continue;
      const isNoted = isNote(cells, columns);
      if (isLine(line, isNoted)) lines.push(line);
      else if (!isSection(cells, grid) && !isSpeck(cells, columns, isBelow) && !isNoted) unreadRows.push(row);
    }
  }
  return {
    lines: joinHalves(lines),
    columns: new Set(columns.keys()),
    inferredColumns: new Set([...inferredFields(assigned, evidence)].map((field) => returnedField(field, assigned))),
    printedTotals: totals.printed(),
    unreadRows,
    bounded: table.bounded,
    evidence,
  };
}
