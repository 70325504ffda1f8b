import { prescribedTruth, writeDose } from '../../sheet/prescribed-lines.ts';
import type { ColumnTruth, GridCellTruth, Rect, RowTruth, TableTruth } from '../../truth.ts';
import type { Columns } from './columns.ts';
import { daily } from './dose-cells.ts';
import type { DoseColumn } from './form-plan.ts';
import type { FormLine } from './lines.ts';
import type { Sheet } from './sheet.ts';
import { oneDoseText } from './variants/one-dose-column.ts';

/** @param parts the lines of the list, and those of the injections below it. */
export function tableTruth(
  sheet: Sheet,
  halves: readonly Columns[],
  top: number,
  headerHeight: number,
  parts: readonly (readonly FormLine[])[],
): TableTruth {
  const { plan, right } = sheet;
  const placed = parts.flat();
  const left = halves[0]!.left;
  const rows: readonly RowTruth[] = placed.map(prescribedTruth);
  const bottom = Math.max(...placed.map(({ box }) => box.y + box.height));
  const nameHeader = plan.nameHeader.join('\n');
  const cells: GridCellTruth[] = [];
  const place = (row: number, column: number, text: string, box: Rect) => {
    cells.push({ row, column, rowSpan: 1, columnSpan: 1, text, box });
  };
  const header = (x: number, width: number): Rect => ({ x, y: top, width, height: headerHeight });
  let rowCount = 1;
  let columnCount = 0;
  for (const [half, columns] of halves.entries()) {
    const { serial, code, name, doses } = columns;
    const first = columnCount + (serial ? 1 : 0) + (code ? 1 : 0);
    if (serial) place(0, columnCount, plan.numbering!.header.join('\n'), header(serial.x, serial.width));
    if (code) place(0, first - 1, '코 드', header(code.x, code.width));
    place(0, first, nameHeader, header(name.x, name.width));
    doses.forEach(({ header: lines, x, px }, i) => {
      place(0, first + 1 + i, lines.join('\n'), header(x, px));
    });
    placed
      .filter((line) => line.half === half)
      .forEach((placedLine, i) => {
        const at = (x: number, width: number): Rect => ({ ...placedLine.box, x, width });
        const row = i + 1;
        if (serial) place(row, columnCount, placedLine.serial, at(serial.x, serial.width));
        if (code) place(row, first - 1, placedLine.line.code ?? '', at(code.x, code.width));
        place(row, first, placedLine.cell, at(name.x, name.width));
        doses.forEach((column, k) => {
          place(row, first + 1 + k, doseCell(sheet, placedLine, column.kind), at(column.x, column.px));
        });
        rowCount = Math.max(rowCount, row + 1);
      });
    columnCount = first + 1 + doses.length;
  }
  const height = bottom - top;
  return {
    box: { x: left, y: top, width: (plan.hasUsage ? halves.at(-1)!.usageX : right) - left, height },
    headerRowCount: 1,
    columns: halves.flatMap((columns) => columnTruths(sheet, columns, nameHeader, top, height)),
    rows,
    grid: { rowCount, columnCount, cells },
    footer: { totalAmount: null, lineCount: null, totalIsSum: true },
    complete: true,
  };
}

function doseCell({ plan }: Sheet, { line, texts }: FormLine, kind: DoseColumn['kind']): string {
  switch (kind) {
    case 'daily':
      return writeDose(daily(line), 0);
    case 'share':
      return '';
    case 'dose':
      return oneDoseText(plan, texts);
    default:
      return texts[kind] ?? '';
  }
}

/** A column of all doses stands for three that share its place. */
function columnTruths(
  { plan }: Sheet,
  { serial, name, doses }: Columns,
  nameHeader: string,
  y: number,
  height: number,
): readonly ColumnTruth[] {
  const kindsOf = (kind: DoseColumn['kind']): readonly ColumnTruth['kind'][] => {
    switch (kind) {
      case 'daily':
        return ['usage'];
      case 'share':
        return ['note'];
      case 'dose':
        return ['quantity', 'timesPerDay', 'days'];
      default:
        return [kind];
    }
  };
  const numbers: ColumnTruth[] = serial
    ? [{ kind: 'serial', header: plan.numbering!.header.join(' '), box: { ...serial, y, height } }]
    : [];
  return [
    ...numbers,
    { kind: 'drugName', header: nameHeader, box: { ...name, y, height } },
    ...doses.flatMap(({ kind, header, x, px }) =>
      kindsOf(kind).map((one) => ({ kind: one, header: header.join(' '), box: { x, y, width: px, height } })),
    ),
  ];
}
