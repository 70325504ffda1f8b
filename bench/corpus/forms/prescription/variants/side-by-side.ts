import type { Raster } from '../../../camera/raster.ts';
import type { PageImage } from '../../../drawing/page-image.ts';
import type { Rect, RowTruth, TableTruth } from '../../../truth.ts';

/** Two prescriptions on one landscape page: the truth has the lines of the left one, then those of the right one. */
export function beside(left: PageImage, right: PageImage): PageImage {
  const shift = left.raster.width;
  return {
    raster: rasters(left.raster, right.raster),
    documentType: 'drug_table',
    table: tables(left.table!, right.table!, shift),
    made: { ...left.made, rows: Number(left.made.rows) + Number(right.made.rows), rightFont: right.made.font ?? '' },
  };
}

/** Both begin at the top; below the shorter one the paper is white. */
function rasters(left: Raster, right: Raster): Raster {
  const width = left.width + right.width;
  const height = Math.max(left.height, right.height);
  const pixels = new Uint8Array(width * height * 3).fill(255);
  for (const [{ pixels: from, ...size }, x] of [[left, 0] as const, [right, left.width] as const])
    for (let y = 0; y < size.height; y++)
      pixels.set(from.subarray(y * size.width * 3, (y + 1) * size.width * 3), (y * width + x) * 3);
  return { width, height, pixels };
}

/** One table as wide as both, so that rows, columns and cells keep their places beside each other. */
function tables(left: TableTruth, right: TableTruth, shift: number): TableTruth {
  const moved = (box: Rect): Rect => ({ ...box, x: box.x + shift });
  const movedRow = (row: RowTruth): RowTruth => ({
    ...row,
    box: moved(row.box),
    cells: Object.fromEntries(
      Object.entries(row.cells).map(([field, cell]) => [field, { ...cell, box: moved(cell.box) }]),
    ),
  });
  const top = Math.min(left.box.y, right.box.y);
  const bottom = Math.max(left.box.y + left.box.height, right.box.y + right.box.height);
  const columnCount = left.grid.columnCount;
  return {
    ...left,
    box: { x: left.box.x, y: top, width: moved(right.box).x + right.box.width - left.box.x, height: bottom - top },
    columns: [...left.columns, ...right.columns.map((column) => ({ ...column, box: moved(column.box) }))],
    rows: [...left.rows, ...right.rows.map(movedRow)],
    grid: {
      rowCount: Math.max(left.grid.rowCount, right.grid.rowCount),
      columnCount: columnCount + right.grid.columnCount,
      cells: [
        ...left.grid.cells,
        ...right.grid.cells.map((cell) => ({ ...cell, column: cell.column + columnCount, box: moved(cell.box) })),
      ],
    },
  };
}
