import type { ReadCell } from '../../reading/table-reader.ts';
import { DRUG_UNIT } from './drug-units.ts';

/** The zeros behind a point, perhaps before a unit, and what a stroke was read as before them. */
const ZEROS = new RegExp(String.raw`^[^\d.,]{0,2}[.,](?<decimals>0{1,4}) ?(?:${DRUG_UNIT}|T)?$`);
const UNIT = new RegExp(`^${DRUG_UNIT}$`);
/** The share of confidence that remains in a number without a visible digit. */
const DOUBT = 0.5;

/**
 * A dose with only `.0` or the unit read: a dose is not zero, and only a 1 is narrow enough to be hidden by a rule
 * or a stroke. Doubted.
 */
export function withHiddenOne(cell: ReadCell): ReadCell {
  const print = cell.text.text.trim();
  const decimals = ZEROS.exec(print)?.groups?.decimals;
  if (cell.blank || (decimals === undefined && !UNIT.test(print))) return cell;
  const dose = { text: decimals ? `1.${decimals}` : '1', confidence: cell.text.confidence * DOUBT };
  return { ...cell, text: dose, numeral: dose };
}
