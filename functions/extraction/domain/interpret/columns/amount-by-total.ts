import type { Grid } from '../grid.ts';
import { totalKind } from '../lists/row-kinds.ts';
import { numberField } from '../numbers/cell-values.ts';
import type { ColumnEvidence } from './column-evidence.ts';

/** Minimum lines for a printed total to be evidence: a single number always equals its total. */
const MIN_LINES = 2;

/** A lone column of prices is one of amounts, though its header calls them `약가`, where the row of the total prints its sum. */
export function withAmountByTotal(
  columns: readonly ColumnEvidence[],
  grid: Grid,
  bodyRows: readonly number[],
  lineRows: readonly number[],
): readonly ColumnEvidence[] {
  const prices = columns.filter(({ header }) => header?.kind === 'unitPrice');
  const [price] = prices;
  const hasAmounts = columns.some(({ header }) => header?.kind === 'totalAmount');
  if (!price || prices.length > 1 || hasAmounts || lineRows.length < MIN_LINES) return columns;
  const krwAt = (row: number) => numberField(grid.at(row, price.column), 'whole').value;
  const sum = lineRows.reduce((krw, row) => krw + (krwAt(row) ?? 0), 0);
  if (sum === 0 || !bodyRows.some((row) => isTotal(grid, row) && krwAt(row) === sum)) return columns;
  return columns.map((each) => (each === price ? { ...each, header: { ...each.header!, kind: 'totalAmount' } } : each));
}

function isTotal(grid: Grid, row: number): boolean {
  const kind = totalKind(grid.inked(row));
  return kind === 'grand' || kind === 'sub';
}
