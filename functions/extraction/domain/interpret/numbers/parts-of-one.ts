import type { ReadCell, Reading } from '../../reading/table-reader.ts';

/** A part of a tablet, as hospitals write it: 1/2T, 1과 1/2정, ½ tab. */
const PART =
  /^(?:(?<whole>\d) ?(?:과|\+)? ?)?(?<part>[1-3])[/\u2044](?<of>[2-4])(?<unit> ?(?:T|C|정|알|tab|캡슐|포|병))?$/i;
const NUMBER = /^\d{1,3}(?:\.\d{1,4})?$/;
const PLACES = 4;

/** The dose that a cell prints as a part of one; null where it has no unit, since 1/2 alone may be a dose and how often. */
export function partOfOne({ text }: ReadCell): Reading | null {
  return PART.exec(printOf(text))?.groups?.unit === undefined ? null : dosePrinted(text);
}

/** Whether a cell prints such a dose, with a unit or without one. */
export function isPartOfOne({ text }: ReadCell): boolean {
  return PART.test(printOf(text));
}

/**
 * Whether a column's fractions of one are doses without a unit: each is less than one, and the times a day have a separate column, or
 * others are numbers.
 */
export function arePartsOfOne(cells: readonly (ReadCell | undefined)[], hasTimes: boolean): boolean {
  const inked = cells.flatMap((cell) => (cell && !cell.blank ? [cell.text] : []));
  const isProper = (reading: Reading) => {
    const { part, of } = PART.exec(printOf(reading))?.groups ?? {};
    return part === undefined || Number(part) < Number(of);
  };
  return (hasTimes || inked.some(({ text }) => NUMBER.test(text))) && inked.every(isProper);
}

/** A number as it is, and a part of one as a number. */
export function withoutParts(reading: Reading): Reading {
  return dosePrinted(reading) ?? reading;
}

function dosePrinted(reading: Reading): Reading | null {
  const { whole = 0, part, of } = PART.exec(printOf(reading))?.groups ?? {};
  if (part === undefined) return null;
  const value = Number(whole) + Number(part) / Number(of);
  return { text: String(Number(value.toFixed(PLACES))), confidence: reading.confidence };
}

function printOf({ text }: Reading): string {
  return text.normalize('NFKC').trim();
}
