import { withMisprint } from '../sheet/expected.ts';
import { isField, type Sheet, type SheetLine } from '../sheet/sheet.ts';
import type {
  CellTruth,
  ColumnTruth,
  GridCellTruth,
  GridTruth,
  Rect,
  RowTruth,
  TableField,
  TableTruth,
} from '../truth.ts';
import { firstTotal, groupSpans, type SetColumn, type SetRow, type Setting } from './table-setting.ts';

export function tableTruth(set: Setting, left: number, top: number): TableTruth {
  const { sheet, columns, rows, width, height, grouped } = set;
  const drugRows = rows.filter((row) => row.content !== 'footer' && row.content.type === 'drug');
  const bodyEnd = rows.filter((row) => row.content !== 'footer').at(-1)!;
  return {
    box: { x: left, y: top, width, height },
    headerRowCount: grouped ? 2 : 1,
    columns: columns.map(
      (column): ColumnTruth => ({
        kind: column.kind,
        header: column.header.join(' '),
        box: { x: left + column.x, y: top, width: column.width, height: bodyEnd.y + bodyEnd.height },
      }),
    ),
    rows: drugRows.map((row) => rowTruth(row, columns, { x: left, y: top + row.y, width, height: row.height })),
    grid: gridTruth(set, left, top),
    footer: sheet.footer.truth,
    complete: isComplete(sheet),
  };

  function rowTruth(row: SetRow, all: readonly SetColumn[], box: Rect): RowTruth {
    const { line, texts } = row.content as Extract<SheetLine, { type: 'drug' }>;
    const name = row.nameLines.join('');
    const item = { ...line.item, drugName: line.item.drugName === null ? null : name };
    const cells: Partial<Record<TableField, CellTruth>> = {};
    for (const column of all) {
      if (!isField(column.kind)) continue;
      const text = column.kind === 'drugName' ? name : texts[column.kind];
      const value = column.kind === 'timesPerDay' ? line.timesPerDay : item[column.kind];
      cells[column.kind] = { text, value, box: { ...box, x: left + column.x, width: column.width } };
    }
    const { expectation, suggestedDrugCode, errors } = line;
    const truth: RowTruth = {
      box,
      cells,
      item,
      nameTruncated: row.nameTruncated,
      ...expectation,
      suggestedDrugCode,
      errors,
      cut: false,
    };
    return withMisprint(truth, line.drug);
  }
}

function isComplete({ footer, lines }: Sheet): boolean | null {
  const amountMissing = lines.some((line) => line.type === 'drug' && line.line.item.totalAmount === null);
  if (footer.truth.totalAmount !== null && amountMissing) return null;
  return footer.truth.totalIsSum;
}

/** Every printed cell, header, sections and footer included. */
function gridTruth(set: Setting, left: number, top: number): GridTruth {
  const { sheet, columns, rows, width, headerHeight, grouped } = set;
  const cells = grouped
    ? groupedHeader(set, left, top)
    : columns.map((column, i) => headerCell(column, i, 0, 1, left, top, headerHeight));
  const headerRowCount = grouped ? 2 : 1;
  rows.forEach((row, i) => {
    const at = { row: headerRowCount + i, rowSpan: 1 };
    const box = { x: left, y: top + row.y, width, height: row.height };
    const single = (column: SetColumn, index: number, text: string): GridCellTruth => ({
      ...at,
      column: index,
      columnSpan: 1,
      text,
      box: { ...box, x: left + column.x, width: column.width },
    });
    const merged = (to: number, text: string): GridCellTruth => {
      const end = columns[to];
      return { ...at, column: 0, columnSpan: to, text, box: { ...box, width: end ? end.x : width } };
    };
    const { content } = row;
    if (content === 'footer') {
      const from = firstTotal(set);
      cells.push(merged(from, sheet.footer.row!.label));
      columns.forEach((column, index) => {
        if (index >= from) cells.push(single(column, index, sheet.footer.row!.totals[column.kind] ?? ''));
      });
    } else if (content.type === 'section') cells.push(merged(columns.length, content.text));
    else
      columns.forEach((column, index) => {
        const text = column.kind === 'drugName' ? row.nameLines.join('\n') : content.texts[column.kind];
        cells.push(single(column, index, text));
      });
  });
  return { rowCount: headerRowCount + rows.length, columnCount: columns.length, cells };
}

function headerCell(
  column: SetColumn,
  index: number,
  row: number,
  rowSpan: number,
  left: number,
  y: number,
  height: number,
): GridCellTruth {
  const box = { x: left + column.x, y, width: column.width, height };
  return { row, column: index, rowSpan, columnSpan: 1, text: column.header.join('\n'), box };
}

function groupedHeader(set: Setting, left: number, top: number): GridCellTruth[] {
  const { columns, headerHeight } = set;
  const half = headerHeight / 2;
  const groups = groupSpans(set);
  const uppers = groups.map(({ header, from, to }): GridCellTruth => {
    const members = columns.filter(({ x }) => x >= from && x < to);
    const box = { x: left + from, y: top, width: to - from, height: half };
    return { row: 0, column: columns.indexOf(members[0]!), rowSpan: 1, columnSpan: members.length, text: header, box };
  });
  const lowers = columns.map((column, i) =>
    groups.some(({ from, to }) => column.x >= from && column.x < to)
      ? headerCell(column, i, 1, 1, left, top + half, half)
      : headerCell(column, i, 0, 2, left, top, headerHeight),
  );
  return [...uppers, ...lowers];
}
