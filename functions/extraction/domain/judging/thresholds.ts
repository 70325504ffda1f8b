/**
 * How sure a reading must be, 0 to 1. Readers calibrate their confidence (the share of such readings that are exact); the
 * benchmark shows how many wrong lines each threshold lets through and how many right ones it stops.
 */
export const HIGH_CONFIDENCE = {
  /** Quantities, prices and amounts: arithmetic checks them as well. */
  number: 0.7,
  /** Nine-digit codes have no check digit: price and name are all that confirms them. */
  code: 0.7,
  /** Minimum similarity of names cut by their column: the list confirms only their start. */
  name: 0.8,
  /** Doses and days of a sheet that has no other number to check them by. */
  unchecked: 0.95,
  /** The same, where the sheet is not clearly read otherwise. */
  alone: 0.99,
} as const;

/** On a sheet that is not clearly read, numbers that were read surely are wrong now and then: more than one, and more than this share, is unsure. */
export const MAX_UNSURE_SHARE = 0.1;
/** Where more of a column is unsure, something is over it or the print is bad: then no number of it is sure. */
export const MAX_UNSURE_COLUMN = 0.5;

/** An amount that is this near to price × quantity is off by rounding; beyond, it contradicts. */
export const ROUNDING_TOLERANCE = { krw: 10, share: 0.005 } as const;

/** Lines other than the one in question that must agree before an unusual convention of a sheet is accepted. */
export const LINES_THAT_PROVE = 2;

/** Lines with fractions of a won that must round one way before another way is doubted. */
export const LINES_THAT_SETTLE = 3;
