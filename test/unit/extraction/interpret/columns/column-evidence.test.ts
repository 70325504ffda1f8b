import { describe, expect, it } from 'vitest';
import {
  type ColumnEvidence,
  withoutEchoes,
} from '../../../../../functions/extraction/domain/interpret/columns/column-evidence.ts';

type Kind = 'quantity' | 'days' | 'prescribedQty';

function columnOf(column: number, kind: Kind | null, values: readonly (number | null)[]): ColumnEvidence {
  return {
    column,
    header: kind && { kind, score: 1 },
    hints: new Map(),
    codeShare: 0,
    numericShare: 1,
    widthShare: 0.1,
    inkShare: 1,
    isSerial: false,
    whole: values,
    quantities: values,
    codes: values.map(() => null),
  } as ColumnEvidence;
}

const DOSES = [0.5, 2, 1, null];
const remaining = (...columns: readonly ColumnEvidence[]) => withoutEchoes(columns).map(({ column }) => column);

describe('a column without a header that holds the doses once more', () => {
  it('is no total where drugs are taken for more than a day', () => {
    const [dose, days] = [columnOf(0, 'quantity', DOSES), columnOf(1, 'days', [3, 14, 1, 2])];
    expect(remaining(dose, days, columnOf(2, null, DOSES))).toEqual([0, 1]);
    expect(remaining(dose, days, columnOf(2, null, [0.5, 2, 3, null]))).toEqual([0, 1, 2]);
    expect(remaining(dose, days, columnOf(2, 'prescribedQty', DOSES))).toEqual([0, 1, 2]);
  });

  it('may be the total of a single day', () => {
    const [dose, days] = [columnOf(0, 'quantity', DOSES), columnOf(1, 'days', [1, 1, 1, 1])];
    expect(remaining(dose, days, columnOf(2, null, DOSES))).toEqual([0, 1, 2]);
  });
});
