const MIN_ROWS = 2;

/**
 * Whether the minus before every number of a column is a button beside it, `- 3 +`: of what is returned the amounts would be below zero, too.
 * @param counts what each row prints there, and `amounts` in its column of amounts; empty where nothing stands.
 */
export function areMinusButtons(counts: readonly string[], amounts: readonly string[]): boolean {
  const isBelowZero = (numeral: string) => numeral.startsWith('-');
  return (
    counts.length >= MIN_ROWS &&
    counts.every(isBelowZero) &&
    amounts.every((amount) => amount !== '' && !isBelowZero(amount))
  );
}
