import { partOf } from '../../reading/reading-parts.ts';
import type { ReadCell, Reading } from '../../reading/table-reader.ts';
import { lacksZero } from '../doses/dose-thirds.ts';
import { isMeasure, type NumberStyle, numeralOf, readingOf } from './cell-values.ts';
import { LOOK_ALIKE } from './digit-look-alikes.ts';

/** A fraction, perhaps with one more digit that a rule behind it was read as. */
const FRACTION = /(?<!\d)\d{0,4}[.,](?<places>\d{1,4})\d?(?!\d)/;
/** Four places without a point before them, or with a gap in its place: no dose is ten thousand, none is 0000, and no whole one starts with 0. */
const WITHOUT_POINT =
  /(?<!\d)(?:\d{1,2}[_ ·](?:0000|5000|[27]500|3333|6667)|\d{0,2}0000|0(?:5000|[27]500|3333|6667))(?!\d)/;
/** Two places behind a gap where a point was: a quarter, a half, or none. */
const TWO_WITHOUT_POINT = /^(?:\d{1,2}[_ ]00|0[_ ](?:25|50|75))(?!\d)/;
/** Fewer are not a form that all doses of a program have; three may be thousands. */
const MIN_PLACES = 2;
const THOUSANDS = 3;
/** A program that pads fractions with zeros writes no number without a point. */
const PADDED = /[.,]\d{0,3}0(?!\d)/;
/** Rows that must agree on the number of decimals before others are read by it, and their share of all that show a point. */
const MIN_ROWS = 2;
const MIN_SHARE = 0.6;
/** Confidence from which a number without a point stands for itself. */
const SURELY_READ = 0.7;
/** The share of confidence that remains in a number read by the form of the others. */
const DOUBT = 0.5;

/** A whole part in groups of three: 3,322.00 is written as its column writes it. */
const GROUPED = String.raw`^\d{1,3}(?:,\d{3})+`;

/** A rule or a stroke before a number, read as a non-digit. */
const BEFORE = String.raw`^(?:(?!${LOOK_ALIKE})[^\d.,|\]]){0,2}`;
/** Decimals of the doses that are given, tenths, quarters and thirds, as the source of a pattern. */
export const USUAL_DECIMALS = String.raw`\d0*|[27]50*|3+|6+7`;
const USUAL = new RegExp(`^(?:${USUAL_DECIMALS})$`);

/**
 * Formats a cell's number like its column's: if every dose is printed with the same number of decimals, an unread point belongs before
 * the last of them, and further signs are a rule or a stroke.
 * @param places decimals of the column's numbers, by `fixedPlacesOf`.
 */
export function inFixedPlaces(cell: ReadCell, places: number): ReadCell {
  if (cell.blank || new RegExp(String.raw`${GROUPED}\.\d{${places}}$`).test(numeralOf(cell))) return cell;
  const isRead = new RegExp(String.raw`^\d+[.,]\d{${places}}$`).test(numeralOf(cell));
  // The numerals' reading makes digits of a unit.
  const numeral = isRead || isMeasure(cell.text.text) ? null : cell.numeral;
  const found = inPlaces(cell.text, places) ?? (numeral && inPlaces(numeral, places));
  return found && Number(found.text) !== Number(numeralOf(cell)) ? { ...cell, text: found, numeral: found } : cell;
}

/**
 * The number that a reading starts with; null where it has not the column's form, and for zero, which is not a dose: before `.00` a rule or a
 * stroke hides a digit, and only a 1 is so narrow.
 */
function inPlaces(reading: Reading, places: number): Reading | null {
  const parted = new RegExp(String.raw`${BEFORE}(?<whole>\d{0,4})[.,·_ ]{1,2}(?<decimals>\d{${places}})\d?(?!\d)`, 'd');
  const joined = new RegExp(
    String.raw`${BEFORE}(?<whole>\d{${places < 4 ? 1 : 0},4})(?<decimals>\d{${places}})(?!\d)`,
    'd',
  );
  const found = parted.exec(reading.text) ?? usual(joined.exec(reading.text));
  if (!found || (places < 4 && lacksZero(found[0]))) return null;
  const { whole, decimals } = found.groups!;
  const isHidden = whole === '' && Number(decimals) === 0;
  const text = `${whole || (isHidden ? '1' : '0')}.${decimals}`;
  if (Number(text) === 0) return null;
  const { confidence } = partOf(reading, found.indices!.groups!.whole![0], found.indices!.groups!.decimals![1]);
  return { text, confidence: confidence * DOUBT };
}

function usual(found: RegExpExecArray | null): RegExpExecArray | null {
  return found && USUAL.test(found.groups!.decimals!) ? found : null;
}

/** Number of decimals in a column; null if they differ, or are too few. */
export function fixedPlacesOf(cells: readonly (ReadCell | undefined)[]): number | null {
  const counts = new Map<number, number>();
  let shown = 0;
  let isPadded = false;
  const pointless: string[] = [];
  for (const cell of cells) {
    if (!cell || cell.blank) continue;
    const shownBy = /\d/.test(cell.text.text) ? cell.text : cell.numeral;
    const count = placesIn(shownBy?.text ?? '');
    if (count !== null) {
      counts.set(count, (counts.get(count) ?? 0) + 1);
      shown++;
      isPadded ||= PADDED.test(shownBy!.text);
    } else if (/^\d{1,3}$/.test(numeralOf(cell)) && readingOf(cell).confidence >= SURELY_READ)
      pointless.push(numeralOf(cell));
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  // Where all whole numbers end in as many zeros as others have decimals, their points were not read: a program that writes 0.25 and 100 writes 1, too.
  const isVaried = pointless.some((number) => !number.endsWith('0'.repeat(best?.[0] ?? MIN_PLACES)));
  if (isVaried && !isPadded) return null;
  return best && best[0] >= MIN_PLACES && best[1] >= MIN_ROWS && best[1] >= shown * MIN_SHARE ? best[0] : null;
}

/** A whole number as programs write it that print no dose without a point. */
const PADDED_WHOLE = /^\d{1,3}[.,]0$/;

/** A fraction whose point was not read, as none starts with 0 without one. */
const LOST_POINT = /^0\d+$/;

/**
 * Numbers of two digits or more without a point in a column where most have one, whole numbers too, or where one has lost its point:
 * `10` among 10.0 and 0.5, or among 05, is 1.0 whose point a stroke or a rule hides.
 */
export function withoutPoint(cells: readonly (ReadCell | undefined)[]): ReadonlySet<ReadCell> {
  const shown = cells.flatMap((cell) => (cell && !cell.blank && numeralOf(cell) !== '' ? [cell] : []));
  const pointed = shown.filter((cell) => /[.,]/.test(numeralOf(cell)));
  const isPadded = pointed.length >= MIN_ROWS && pointed.some((cell) => PADDED_WHOLE.test(numeralOf(cell)));
  const isLost = shown.some((cell) => LOST_POINT.test(numeralOf(cell)));
  if (!isLost && (!isPadded || pointed.length < shown.length * MIN_SHARE)) return new Set();
  return new Set(shown.filter((cell) => /^\d{2,}$/.test(numeralOf(cell))));
}

/** Doses of one decimal without their point: tenths and halves. */
const TENTHS = /^(?:\d{1,2}[05]|0\d)$/;

/**
 * Numbers with the point before their last digit, if every dose of the column with a point has one decimal, and no dose is a single
 * digit: a program that writes 1.0 does not write 10 for ten.
 */
export function withLostPoints(cells: readonly (ReadCell | undefined)[]): ReadonlyMap<ReadCell, ReadCell> {
  const shown = cells.flatMap((cell) => (cell && !cell.blank && numeralOf(cell) !== '' ? [cell] : []));
  const isTenth = (cell: ReadCell) => /[.,]\d$/.test(numeralOf(cell)) || /^0\d$/.test(numeralOf(cell));
  const hasOther = shown.some((cell) => /^\d$|[.,]\d{2,}$/.test(numeralOf(cell)));
  if (hasOther || shown.filter(isTenth).length < MIN_ROWS) return new Map();
  const pointless = [...withoutPoint(cells)].filter((cell) => TENTHS.test(numeralOf(cell)));
  return new Map(
    pointless.map((cell) => {
      const digits = numeralOf(cell);
      const text = `${digits.slice(0, -1)}.${digits.at(-1)}`;
      const read = { text, confidence: readingOf(cell).confidence * DOUBT };
      return [cell, { ...cell, text: read, numeral: read }];
    }),
  );
}

/** A count with decimals, which none has in a column of whole ones. */
const COUNT_WITH_POINT = /^\d{1,2}[.,]0$/;
/** Counts without a point that say how their column writes them, for each that has one. */
const MIN_WHOLE = 2;

/**
 * Counts of a column, days or times a day, that show a point where the others have none: a speck between two digits, `1.0` for 10. Doubted.
 */
export function withoutSpecks(cells: readonly (ReadCell | undefined)[]): ReadonlyMap<ReadCell, ReadCell> {
  const shown = cells.flatMap((cell) => (cell && !cell.blank && numeralOf(cell) !== '' ? [cell] : []));
  const pointed = shown.filter((cell) => COUNT_WITH_POINT.test(numeralOf(cell)));
  const whole = shown.filter((cell) => /^\d+$/.test(numeralOf(cell)));
  if (whole.length < MIN_WHOLE * pointed.length) return new Map();
  return new Map(
    pointed.map((cell) => {
      const read = { text: numeralOf(cell).replace(/\D/, ''), confidence: readingOf(cell).confidence * DOUBT };
      return [cell, { ...cell, text: read, numeral: read }];
    }),
  );
}

/** More decimals than any dose is printed with: rather the numbers of the next columns behind it, 1.0000, 1 and 3. */
const TOO_MANY_PLACES = /[.,]\d{5,}$/;
/** Followed by two zeros, a number that is neither a multiple of 0.05 nor a third, sixth or eighth in two places is likely misread. */
const ODD_HUNDREDTHS = /[.,](?!33|6[67]|1[67]|83|1[23]|38|63|88)\d[1-46-9]00$/;

/** Whether a dose has decimals that hardly one is printed with. */
export function hasUnlikelyPlaces(cell: ReadCell): boolean {
  const numeral = numeralOf(cell);
  return TOO_MANY_PLACES.test(numeral) || ODD_HUNDREDTHS.test(numeral);
}

/** A dose of thousands that nothing on the sheet checks: rather 0.6667 without its start, or 1.000 in a column of other styles. */
export function isThousands(cell: ReadCell, style: NumberStyle): boolean {
  const numeral = numeralOf(cell);
  return /^[1-9]\d{3,}$/.test(numeral) || (style === 'thousands' && /^[1-9]\d{0,2}\.\d{3}$/.test(numeral));
}

function placesIn(text: string): number | null {
  const places = FRACTION.exec(text)?.groups?.places?.length;
  if (places === undefined) return WITHOUT_POINT.test(text) ? 4 : TWO_WITHOUT_POINT.test(text) ? 2 : null;
  return places === THOUSANDS ? 0 : places;
}
