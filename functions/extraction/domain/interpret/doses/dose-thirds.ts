import type { Field } from '../../drug-line.ts';

/** A fraction of three places or more that starts like one or two thirds; behind four places follows adjacent print. */
const NEAR_THIRD = /^(?<whole>\d*)\.(?<begun>33|66)\d{1,4}$/;
/** Four places that, except for one of the first two, are a third's or sixth's: no program writes other fractions this long. */
const ALMOST_THIRD = /^(?<whole>\d*)\.(?:(?<third>3\d33|[0-24-79]333)|6\d67|[02-57-9]667)$/;
/** So do programs write them that do not say how many places. */
const THIRDS: Readonly<Record<string, string>> = { '33': '3333', '66': '6667' };
const WRITTEN = /\.(?:3{3,}|6{2,}7)$/;
/** One digit more than any program writes, if unsure: a border runs through a digit, and both columns show part of it. */
const TOO_LONG = /\.\d{5,}$/;
/** Programs round two thirds up: no more than sixes is either cut off or another program's. */
const UNROUNDED = /\.6+$/;
/** The decimals of thirds: no dose is in thousands. */
const WITHOUT_ZERO = new Set([3333, 6667]);
/** Confidence above which an undisturbed number stays as it was read. */
const SURELY_READ = 0.9;
/** The share of confidence that remains in a dose without its last digit, or without its first digit and point. */
const DOUBT = 0.5;

/** A dose that starts as a third does and ends as none: nothing else is given in such parts, so its last digit was misread or cut off. */
export function asThird(dose: Field<number>): Field<number> {
  const print = String(dose.value);
  const { whole = '', begun = '' } = NEAR_THIRD.exec(print)?.groups ?? {};
  const isSure = !dose.doubt && dose.confidence >= SURELY_READ;
  const isWritten = WRITTEN.test(print) && (isSure || !TOO_LONG.test(print));
  const almost = ALMOST_THIRD.exec(print)?.groups;
  if (begun === '' && almost) {
    if (isSure) return { ...dose, confidence: dose.confidence * DOUBT };
    const value = Number(`${almost.whole}.${THIRDS[almost.third === undefined ? '66' : '33']}`);
    return { ...dose, value, confidence: dose.confidence * DOUBT };
  }
  if (begun === '' || isWritten || (isSure && UNROUNDED.test(print))) return dose;
  const value = isSure ? dose.value : Number(`${whole}.${THIRDS[begun]}`);
  return { ...dose, value, confidence: dose.confidence * DOUBT };
}

/** Whether digits are the decimals of a third, which has four places everywhere, without the 0 and the point before them. */
export function lacksZero(digits: string): boolean {
  return WITHOUT_ZERO.has(Number(digits));
}

/** A dose that is a fraction of one, with its 0 and point unread. */
export function withZero(dose: Field<number>): Field<number> {
  if (dose.value === null || !WITHOUT_ZERO.has(dose.value)) return dose;
  const isSure = !dose.doubt && dose.confidence >= SURELY_READ;
  const value = isSure ? dose.value : Number(`0.${dose.value}`);
  return { ...dose, value, confidence: dose.confidence * DOUBT };
}
