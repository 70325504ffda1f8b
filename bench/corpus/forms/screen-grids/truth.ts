import { type PlacedLine, prescribedTruth } from '../../sheet/prescribed-lines.ts';
import type { ColumnTruth, GridCellTruth, Rect, TableField, TableTruth } from '../../truth.ts';
import type { DrugColumn } from './drug-columns.ts';
import type { DrugGridPlan } from './drug-grid.ts';
import type { SetGrid } from './screen-grid.ts';

export function tableTruth({ columns, lines }: DrugGridPlan, set: SetGrid): TableTruth {
  const header = { y: set.box.y, height: set.headerHeight };
  const cells: GridCellTruth[] = columns.map((column, i) => ({
    row: 0,
    column: i,
    rowSpan: 1,
    columnSpan: 1,
    text: column.header,
    box: { ...set.columns[i]!, ...header },
  }));
  const placed: PlacedLine[] = [];
  set.rows.forEach((row, i) => {
    row.texts.forEach((text, k) => {
      cells.push({ row: i + 1, column: k, rowSpan: 1, columnSpan: 1, text, box: { ...row.box, ...set.columns[k]! } });
    });
    const line = lines[i]!;
    if (!('drug' in line)) return;
    const shown: Partial<Record<TableField, string>> = {};
    const boxes: Partial<Record<TableField, Rect>> = {};
    columns.forEach(({ kind }, k) => {
      if (!isTableField(kind)) return;
      shown[kind] = row.texts[k]!;
      boxes[kind] = { ...row.box, ...set.columns[k]! };
    });
    placed.push({ line: line.drug, box: row.box, name: shown.drugName ?? '', texts: shown, boxes });
  });
  return {
    box: set.box,
    headerRowCount: 1,
    columns: columns.map(
      ({ kind, header: text }, i): ColumnTruth => ({
        kind: kind === 'issue' || kind === 'own' ? 'note' : kind,
        header: text.replaceAll('\n', ' '),
        box: { ...set.columns[i]!, y: set.box.y, height: set.box.height },
      }),
    ),
    rows: placed.map(prescribedTruth),
    grid: { rowCount: set.rows.length + 1, columnCount: columns.length, cells },
    footer: { totalAmount: null, lineCount: null, totalIsSum: true },
    complete: true,
    tolerated: lines.flatMap((line) => ('drug' in line || !line.fee ? [] : [line.code])),
  };
}

const TABLE_FIELDS: readonly string[] = [
  'drugCode',
  'drugName',
  'quantity',
  'timesPerDay',
  'days',
  'unitPrice',
  'totalAmount',
];

function isTableField(kind: DrugColumn['kind']): kind is TableField {
  return TABLE_FIELDS.includes(kind);
}
