import type { ReadCell } from './table-reader.ts';

type OwnRows = readonly (readonly (ReadCell | undefined)[])[];
type ClaimedRows = readonly (readonly string[])[];

/**
 * Normalised content of a cell, equal for two readings that agree: without blanks, letter forms and thousands separators. A fraction
 * stays a fraction: 1.5 is not 15. Empty for an empty text.
 */
export function keyOf(text: string): string {
  const folded = text.replaceAll('㎎g', 'mg').normalize('NFKC').replace(/\s+/g, '');
  if (!/^[.,-]*\d[\d.,-]*원?$/.test(folded)) return folded;
  const number = folded.replace(/원$/, '').replace(/^[.,]+|(?<![.,])[.,]+$/g, '');
  const fraction = /^(.*\d)[.,](\d{1,2})$/.exec(number) ?? /^(-?0)[.,](\d+)$/.exec(number);
  const whole = (part: string) => part.replace(/[.,]/g, '');
  return fraction ? `${whole(fraction[1]!)}.${fraction[2]}` : whole(number);
}

export function keysOf(cell: ReadCell): readonly string[] {
  if (cell.blank) return [];
  return [cell.text.text, cell.numeral?.text ?? ''].map(keyOf).filter((key) => key !== '');
}

/**
 * Maps claimed rows to our own: the ordered pairing with the most equal cells.
 * @returns for every claimed row the index of ours, or null.
 */
export function alignRows(claimed: ClaimedRows, own: OwnRows): readonly (number | null)[] {
  const ownKeys = own.map((row) => new Set(row.flatMap((cell) => (cell ? keysOf(cell) : []))));
  const claimedKeys = claimed.map((row) => row.map(keyOf));
  const common = (i: number, j: number) => claimedKeys[i]!.filter((key) => ownKeys[j]!.has(key)).length;
  /** best[i][j]: most cells in common of the claimed rows from i on and ours from j on. */
  const best = Array.from({ length: claimed.length + 1 }, () => new Uint32Array(own.length + 1));
  for (let i = claimed.length - 1; i >= 0; i--)
    for (let j = own.length - 1; j >= 0; j--)
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, best[i + 1]![j + 1]! + common(i, j));
  const partners: (number | null)[] = claimed.map(() => null);
  for (let i = 0, j = 0; i < claimed.length && j < own.length; ) {
    const shared = common(i, j);
    if (shared > 0 && best[i]![j] === best[i + 1]![j + 1]! + shared) partners[i++] = j++;
    else if (best[i]![j] === best[i]![j + 1]) j++;
    else i++;
  }
  return partners;
}

/**
 * Maps claimed columns to our own: to the column that holds most of its cells in the paired rows.
 * @returns for every claimed column the index of ours, or null.
 */
export function alignColumns(
  claimed: ClaimedRows,
  own: OwnRows,
  partners: readonly (number | null)[],
  columnCount: number,
): readonly (number | null)[] {
  const votes = Array.from({ length: columnCount }, () => new Map<number, number>());
  claimed.forEach((row, i) => {
    const partner = partners[i] ?? null;
    if (partner === null) return;
    row.forEach((text, column) => {
      const key = keyOf(text);
      if (key === '') return;
      own[partner]!.forEach((cell, ownColumn) => {
        if (cell && keysOf(cell).includes(key)) votes[column]!.set(ownColumn, (votes[column]!.get(ownColumn) ?? 0) + 1);
      });
    });
  });
  // The surest columns choose first: two columns of the claim are never one of ours.
  const columns: (number | null)[] = votes.map(() => null);
  const ranked = votes
    .flatMap((counts, column) => [...counts].map(([ownColumn, count]) => ({ column, ownColumn, count })))
    .sort((a, b) => b.count - a.count);
  for (const { column, ownColumn } of ranked)
    if (columns[column] === null && !columns.includes(ownColumn)) columns[column] = ownColumn;
  return columns;
}
