const MIN_ROWS = 2;

/**
 * Whether the minus before every number of a column is a button, `- 3 +`: returned drugs would have amounts below zero, too.
 * @param counts texts of each row there, and `amounts` in its column of amounts; empty without text.
 */
export function areMinusButtons(counts: readonly string[], amounts: readonly string[]): boolean {
  const isBelowZero = (numeral: string) => numeral.startsWith('-');
  return (
    counts.length >= MIN_ROWS &&
    counts.every(isBelowZero) &&
    amounts.every((amount) => amount !== '' && !isBelowZero(amount))
  );
}
