import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import { looksNumeric } from './cell-values.ts';

/** Words for when and how to take a drug. */
const DIRECTION = /식[전후간]|아침|점심|저녁|취침|자기|오[전후]|매[일주]|격일|필요|[월화수목금토일]{2,}|즉시|도포|복용/;

/** Cells that print a dose and below it when to take it, `2 T` over `아침 식후`, with the dose alone. */
export function withoutDirections(table: ReadTable): ReadTable {
  return { ...table, cells: table.cells.map(withDoseAlone) };
}

function withDoseAlone(cell: ReadCell): ReadCell {
  const [first, ...others] = cell.lines ?? [];
  if (!first || others.length === 0 || !others.every(({ text }) => DIRECTION.test(text))) return cell;
  const dose = { ...cell, lines: [first], text: joinReadings([first]), numeral: first.numeral };
  return looksNumeric(dose) ? dose : cell;
}
