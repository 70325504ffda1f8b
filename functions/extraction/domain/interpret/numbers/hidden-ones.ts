import type { ReadCell } from '../../reading/table-reader.ts';
import { DRUG_UNIT } from './drug-units.ts';

/** The zeros behind a point, perhaps before a unit, and what a stroke was read as before them. */
const ZEROS = new RegExp(String.raw`^[^\d.,]{0,2}[.,](?<decimals>0{1,4}) ?(?:${DRUG_UNIT}|T)?$`);
const UNIT = new RegExp(`^${DRUG_UNIT}$`);
/** What is left of the confidence in a number of which no digit was seen. */
const DOUBT = 0.5;

/**
 * A dose of which nothing but `.0` or the unit was read: no dose is zero, and of what a rule or a stroke can hide before them only a 1 is so
 * narrow. Doubted.
 */
export function withHiddenOne(cell: ReadCell): ReadCell {
  const print = cell.text.text.trim();
  const decimals = ZEROS.exec(print)?.groups?.decimals;
  if (cell.blank || (decimals === undefined && !UNIT.test(print))) return cell;
  const dose = { text: decimals ? `1.${decimals}` : '1', confidence: cell.text.confidence * DOUBT };
  return { ...cell, text: dose, numeral: dose };
}
