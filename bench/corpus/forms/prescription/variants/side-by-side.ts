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

/** Both start at the top; below the shorter one the paper is white. */
function rasters(left: Raster, right: Raster): Raster {
  const width = left.width + right.width;
  const height = Math.max(left.height, right.height);
  const pixels = new Uint8Array(width * height * 3).fill(255);
  for (const [{ pixels: from, ...size }, x] of [[left, 0] as const, [right, left.width] as const])
    for (let y = 0; y < size.height; y++)
      pixels.set(from.subarray(y * size.width * 3, (y + 1) * size.width * 3), (y * width + x) * 3);
  return { width, height, pixels };
}

/** The left table, with the right one next to it. */
function tables(left: TableTruth, right: TableTruth, shift: number): TableTruth {
  const moved = <T extends { readonly box: Rect }>(placed: T): T => ({
    ...placed,
    box: { ...placed.box, x: placed.box.x + shift },
  });
  const movedRow = (row: RowTruth): RowTruth => ({
    ...moved(row),
    cells: Object.fromEntries(Object.entries(row.cells).map(([field, cell]) => [field, moved(cell)])),
  });
  const { box, grid, columns, rows } = moved(right);
  return {
    ...left,
    columns: [...left.columns, ...columns.map(moved)],
    rows: [...left.rows, ...rows.map(movedRow)],
    beside: { box, grid: { ...grid, cells: grid.cells.map(moved) } },
  };
}
