import { type PlacedLine, prescribedTruth, writeDose } from '../../sheet/prescribed-lines.ts';
import type { GridCellTruth, Rect, RowTruth, TableTruth } from '../../truth.ts';
import { daily } from './lines.ts';
import type { Sheet } from './sheet.ts';
import type { Columns } from './table.ts';

export function tableTruth(
  sheet: Sheet,
  columns: Columns,
  top: number,
  headerHeight: number,
  placed: readonly PlacedLine[],
): TableTruth {
  const { plan, right } = sheet;
  const left = columns.code?.x ?? columns.name.x;
  const rows: readonly RowTruth[] = placed.map(prescribedTruth);
  const last = placed.at(-1)!.box;
  const bottom = last.y + last.height;
  const nameHeader = plan.nameHeader.join('\n');
  const cells: GridCellTruth[] = [];
  const place = (row: number, column: number, text: string, box: Rect) => {
    cells.push({ row, column, rowSpan: 1, columnSpan: 1, text, box });
  };
  const first = columns.code ? 1 : 0;
  const header = (x: number, width: number): Rect => ({ x, y: top, width, height: headerHeight });
  if (columns.code) place(0, 0, '코 드', header(columns.code.x, columns.code.width));
  place(0, first, nameHeader, header(columns.name.x, columns.name.width));
  columns.doses.forEach(({ header: lines, x, px }, i) => {
    place(0, first + 1 + i, lines.join('\n'), header(x, px));
  });
  placed.forEach(({ line, name, texts, box }, i) => {
    const at = (x: number, width: number): Rect => ({ ...box, x, width });
    const code = line.code === null ? '' : plan.joint === 'brackets' ? `(${line.code})` : `${line.code} `;
    if (columns.code) place(i + 1, 0, line.code ?? '', at(columns.code.x, columns.code.width));
    place(i + 1, first, columns.code ? name : code + name, at(columns.name.x, columns.name.width));
    columns.doses.forEach(({ kind, x, px }, column) => {
      const text = kind === 'daily' ? writeDose(daily(line), 0) : kind === 'share' ? '' : (texts[kind] ?? '');
      place(i + 1, first + 1 + column, text, at(x, px));
    });
  });
  return {
    box: { x: left, y: top, width: (plan.hasUsage ? columns.usageX : right) - left, height: bottom - top },
    headerRowCount: 1,
    columns: [
      { kind: 'drugName', header: nameHeader, box: { ...columns.name, y: top, height: bottom - top } },
      ...columns.doses.map(({ kind, header: lines, x, px }) => ({
        kind: kind === 'daily' ? ('usage' as const) : kind === 'share' ? ('note' as const) : kind,
        header: lines.join(' '),
        box: { x, y: top, width: px, height: bottom - top },
      })),
    ],
    rows,
    grid: { rowCount: placed.length + 1, columnCount: first + 1 + columns.doses.length, cells },
    footer: { totalAmount: null, lineCount: null, totalIsSum: true },
    complete: true,
  };
}
