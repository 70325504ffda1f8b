import { doubtedReading } from '../../reading/reading-parts.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import { doubted } from './split-numbers.ts';

/** A dose in tablets, and one of which the T may have been read as a 7. */
const TABLETS = /^\d{1,3}(?:\.\d{1,4})? ?T$/;
const WITH_UNIT = /^\d{1,3}(?:\.\d{1,4})? ?\p{L}{1,3}$/u;
const ENDS_IN_STROKE = /^(?<dose>\d{1,3}(?:\.\d{1,4})?)(?<!\.[16]6)[17]$/;
/** The same behind the blank that was printed before it. */
const BLANK_STROKE = /^(?<dose>\d{1,3}(?:\.\d{1,4})?) [17]$/;
/** Eleven or twenty-seven tablets are never taken at a time. */
const ODD_TABLETS = /^(?<dose>[1-9])[17]$/;
const ENDS_IN_7 = /^(?<dose>\d{1,3}(?:\.\d{1,4})?)7$/;
/**
 * Two places or four, followed by a third or fifth digit that no dose has except 0.167 and 0.667; or one place that is not a multiple of a
 * half, third or eighth: a T whose foot or bar a rule hides.
 */
const ODD_PLACE = /^(?<dose>\d{1,3}\.(?:(?:\d{2}|\d{4})(?<!\.[16]6)|\d(?=1)|[024579](?=7)))[17]$/;
/** In print heights: digits of one number are closer, a number and its unit may not be. */
const WIDE_DIGIT = 1;
/** Confidence below which two readings of a text may differ. */
const UNSURE = 0.5;

/** A number without a unit, and how many of a column's that all end in a stroke say that this is their T. */
const BARE = /^[\d.]+$/;
const MIN_STROKES = 3;
/** Part of a column's doses that have a unit where all are meant to: of two digits without one the last may be a unit's syllable. */
const MIN_SHARE = 0.6;
const WHOLE_TENS = /^\d{2,3}$/;
/** Rarely a dose of pieces: the last digit is a misread unit, g as a 9, 병 as an 8. */
const ODD_TENS = /^(?<dose>[1-9])[89]$/;

/** Whether a dose has places that none is printed with. */
export function hasOddPlace(text: string): boolean {
  return ODD_PLACE.test(text);
}

/**
 * A column's doses with the T of tablets restored from a 7 or a 1: if others print it, and the dose was not surely read; or if others
 * print any unit, and the digit is in a place that no dose has, too wide for a number or behind a blank, or all without a unit end so.
 * Also without the last of two digits of an unusual dose if most print a unit. Doubted, as are others without a unit there.
 */
export function withTabletUnits(cells: readonly (ReadCell | undefined)[]): ReadonlyMap<ReadCell, ReadCell> {
  const inked = cells.flatMap((cell) => (cell && !cell.blank ? [cell] : []));
  if (!inked.some(({ text }) => WITH_UNIT.test(text.text))) return new Map();
  const inTablets = inked.some(({ text }) => TABLETS.test(text.text));
  const inUnits = inked.filter(({ text }) => WITH_UNIT.test(text.text)).length >= MIN_SHARE * inked.length;
  const bare = inked.filter(({ text }) => BARE.test(text.text));
  const endInStrokes = bare.length >= MIN_STROKES && bare.every(({ text }) => ENDS_IN_STROKE.test(text.text));
  return new Map(
    inked.flatMap((cell) => {
      const { text, confidence } = cell.text;
      const dose = (
        ODD_PLACE.exec(text) ??
        BLANK_STROKE.exec(text) ??
        (endInStrokes || isSpaced(cell) ? ENDS_IN_STROKE.exec(text) : null) ??
        (inTablets ? ODD_TABLETS.exec(text) : null) ??
        (inTablets && confidence < UNSURE ? ENDS_IN_7.exec(text) : null) ??
        (inUnits ? ODD_TENS.exec(text) : null)
      )?.groups?.dose;
      if (dose === undefined) return inUnits && WHOLE_TENS.test(text) ? [[cell, doubted(cell)] as const] : [];
      const read = doubtedReading({ text: dose, confidence });
      return [[cell, { ...cell, text: read, numeral: read }] as const];
    }),
  );
}

function isSpaced({ text, lines = [] }: ReadCell): boolean {
  const [line] = lines;
  return lines.length === 1 && line!.box.width > WIDE_DIGIT * line!.box.height * text.text.length;
}
