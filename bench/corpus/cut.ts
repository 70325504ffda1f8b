import type { Raster } from './camera/raster.ts';
import type { PageImage } from './drawing/page-image.ts';
import type { Random } from './random.ts';
import type { GridTruth, Rect } from './truth.ts';

/** A window too small for its table: the picture ends in the middle of a row, and what follows is out of sight. */
export function cutBottom(random: Random, page: PageImage): PageImage {
  const table = page.table;
  if (!table || table.rows.length < 6) return page;
  const last = random.int(4, table.rows.length - 1);
  const lastRow = table.rows[last]!.box;
  const end = Math.round(lastRow.y + lastRow.height * random.between(0.35, 0.65));
  const clip = (box: Rect): Rect => ({ ...box, height: Math.min(box.height, end - box.y) });
  return {
    ...page,
    raster: cropped(page.raster, end),
    made: { ...page.made, cutBottom: true },
    table: {
      ...table,
      box: clip(table.box),
      columns: table.columns.map((column) => ({ ...column, box: clip(column.box) })),
      rows: table.rows.slice(0, last + 1).map((row, i) => ({ ...row, cut: i === last })),
      grid: cutGrid(table.grid, end),
      footer: { totalAmount: null, lineCount: null, totalIsSum: true },
      complete: false,
    },
  };
}

function cropped(raster: Raster, height: number): Raster {
  return { width: raster.width, height, pixels: raster.pixels.subarray(0, raster.width * height * 3) };
}

/** The rest of the grid, including the row that is cut through. */
function cutGrid(grid: GridTruth, end: number): GridTruth {
  const cells = grid.cells.filter(({ box }) => box.y < end);
  return { ...grid, rowCount: Math.max(...cells.map(({ row, rowSpan }) => row + rowSpan)), cells };
}
