import type { Box, ReadCell, Reading, ReadLine, ReadTable } from '../../reading/table-reader.ts';

/** In heights of the stroke: no other digit is so narrow, and a rest of a rule lies at a border of its cell. */
const MAX_WIDTH = 0.35;
const MIN_MARGIN = 0.5;
/** In heights of a digit: how far the stroke may begin and end from where that does. */
const LEVEL = 0.15;
/** A shape is weaker evidence than a reading. */
const CONFIDENCE = 0.3;

/**
 * A single 1 is a stroke, which the recogniser misses where a form's rule runs through it: an isolated stroke in its cell, as high as the
 * digits of its row and level with one of them, is a 1. Doubted.
 */
export function withLoneOnes(table: ReadTable): ReadTable {
  const byRow = Map.groupBy(table.cells, ({ row }) => row);
  const cells = table.cells.map((cell) => {
    const stroke = strokeOf(cell);
    const isDigit = ({ text, box }: ReadLine) => /^\d{1,3}$/.test(text) && stroke !== null && isLevel(stroke, box);
    const hasDigit = (other: ReadCell) => other !== cell && other.lines?.length === 1 && other.lines.every(isDigit);
    return stroke && byRow.get(cell.row)!.some(hasDigit) ? asOne(cell) : cell;
  });
  return { ...table, cells };
}

/** The print of a cell with a single unread stroke, clear of the borders. */
function strokeOf({ blank, text, box, lines = [] }: ReadCell): Box | null {
  const [line] = lines;
  if (blank || !line || lines.length > 1 || text.text !== '' || line.text !== '') return null;
  const { x, width, height } = line.box;
  const isClear = x - box.x > MIN_MARGIN * height && box.x + box.width - x - width > MIN_MARGIN * height;
  return isClear && width <= MAX_WIDTH * height ? line.box : null;
}

function isLevel(stroke: Box, digit: Box): boolean {
  const slack = LEVEL * digit.height;
  return Math.abs(stroke.y - digit.y) <= slack && Math.abs(stroke.y + stroke.height - digit.y - digit.height) <= slack;
}

function asOne(cell: ReadCell): ReadCell {
  const one: Reading = { text: '1', confidence: CONFIDENCE };
  return { ...cell, text: one, numeral: one, lines: cell.lines!.map((line) => ({ ...line, ...one, numeral: one })) };
}
