import type { Box, ReadCell } from '../reading/table-reader.ts';
import type { NumericField } from '../sheet-arithmetic.ts';
import { centerX, medianOf } from './print.ts';

/** Other rows that must have a number in a column before they say where its numbers stand. */
const MIN_ROWS = 2;

/**
 * Tells numbers that stand nearer to those of another column than to those of their own, as where print is shifted against the
 * form and the number that belongs here was not seen.
 * @param columns cells of the lines, column by column; undefined where a line has none.
 */
export function strayNumbers(
  columns: ReadonlyMap<NumericField, readonly (ReadCell | undefined)[]>,
): ReadonlySet<ReadCell> {
  const strays = new Set<ReadCell>();
  for (const [field, cells] of columns)
    for (const [row, cell] of cells.entries()) {
      if (!isInked(cell)) continue;
      const x = centerX(placeOf(cell));
      const away = (other: NumericField) => {
        const places = columns.get(other)!.flatMap((each, index) => (index !== row && isInked(each) ? each : []));
        return places.length < MIN_ROWS ? null : Math.abs(x - medianOf(places.map((each) => centerX(placeOf(each)))));
      };
      const own = away(field);
      const nearer = (other: NumericField) => other !== field && (away(other) ?? Number.POSITIVE_INFINITY) < own!;
      if (own !== null && [...columns.keys()].some(nearer)) strays.add(cell);
    }
  return strays;
}

function isInked(cell: ReadCell | undefined): cell is ReadCell {
  return cell !== undefined && !cell.blank;
}

/** Where the digits stand: the cell itself where its lines are not known. */
function placeOf({ lines, box }: ReadCell): Box {
  const pieces = (lines ?? []).flatMap((line) => line.pieces ?? line);
  return pieces.find(({ text }) => /\d/.test(text))?.box ?? box;
}
