import { describe, expect, it } from 'vitest';
import type { InterpretedTable } from '../../../../../functions/extraction/domain/interpret/interpret-table.ts';
import { bestReading } from '../../../../../functions/extraction/domain/interpret/page/best-reading.ts';
import { drugTable, type LineValues } from '../../../../helpers/drug-table.ts';

const listed = (...lines: LineValues[]): InterpretedTable => ({ ...drugTable(lines), evidence: [] });
const whole = (drugCode: string) => ({ drugCode, drugName: '가온정5밀리그램', quantity: 1, days: 3 });
const named = { drugName: '나래캡슐200mg', quantity: 1 };

const best = (readings: readonly (readonly InterpretedTable[])[]) => bestReading(readings, (tables) => tables);

describe('the readings of a page', () => {
  const grids = [listed(whole('640500010'), whole('653100230')), listed(named)];
  const half = listed({ drugCode: '640500010', quantity: 1 });

  it('are compared by their understood drugs', () => {
    expect(best([grids, [half]])).toBe(grids);
    expect(best([[half], grids])).toBe(grids);
  });

  it('are no better for the second line of a name that was taken for a separate drug', () => {
    const wrapped = listed(whole('640500010'), whole('653100230'), {
      drugName: '린)_(600mg/1정)',
      quantity: 952.5,
    });
    const [, ...others] = grids;
    expect(best([grids, [wrapped, ...others]])).toBe(grids);
  });
});
