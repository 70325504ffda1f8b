/**
 * How sure a reading must be, 0 to 1. Readers calibrate their confidence (the share of such readings that are exact); the
 * benchmark shows how many wrong lines each threshold lets through and how many right ones it stops.
 */
export const HIGH_CONFIDENCE = {
  /** Quantities, prices and amounts: arithmetic checks them as well. */
  number: 0.7,
  /** Nine-digit codes have no check digit: price and name are all that confirms them. */
  code: 0.7,
} as const;

/** An amount that is this near to price × quantity is off by rounding; beyond, it contradicts. */
export const ROUNDING_TOLERANCE = { krw: 10, share: 0.005 } as const;

/** Lines other than the one in question that must agree before a sheet's unusual custom is believed. */
export const LINES_THAT_PROVE = 2;
