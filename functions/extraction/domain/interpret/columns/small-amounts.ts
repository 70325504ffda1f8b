import type { ColumnEvidence } from './column-evidence.ts';

/** In KRW: no drug costs less, nor does a line of them. */
const MIN_KRW = 10;
/** Minimum numbers as evidence; a single one may be misread. */
const MIN_NUMBERS = 2;

/** Columns without the header for prices or amounts over numbers that are too small for any: 총액 is how `총 투약일수` may be read. */
export function withoutSmallAmounts(columns: readonly ColumnEvidence[]): readonly ColumnEvidence[] {
  return columns.map((column) => {
    const kind = column.header?.kind;
    if (kind !== 'unitPrice' && kind !== 'totalAmount') return column;
    const numbers = column.whole.filter((value) => value !== null);
    const areSmall = numbers.length >= MIN_NUMBERS && numbers.every((value) => value > 0 && value < MIN_KRW);
    return areSmall ? { ...column, header: null } : column;
  });
}
