import { describe, expect, it } from 'vitest';
import type { Item } from '../../../functions/extraction/domain/extraction.ts';
import { type Review, reviewed } from '../../../functions/extraction/domain/review.ts';

const item = (drugCode: string, needsReview: boolean): Item => ({
  drugCode,
  drugName: '가나정',
  quantity: 1,
  days: 3,
  prescribedQty: null,
  unitPrice: 112,
  totalAmount: 336,
  codeInMaster: true,
  suggestedDrugCode: null,
  priceCheck: 'current',
  status: needsReview ? 'YELLOW' : 'GREEN',
  needsReview,
  review: [],
});
const page = { items: [item('642100010', true), item('642100020', false), item('642100030', true)] };
const [ann, bob] = [
  { kind: 'user', id: 'usr_ann' },
  { kind: 'user', id: 'usr_bob' },
] as const;
const withDecisions = (
  current: Review | null,
  lines: Parameters<typeof reviewed>[2]['lines'],
  by = ann as typeof ann | typeof bob,
) =>
  reviewed(
    page,
    current,
    { version: current?.version ?? 0, lines },
    by,
    `2026-11-27T00:0${current?.version ?? 0}:00.000Z`,
  );

describe('a review', () => {
  it('counts as open the lines that need one and have no decision', () => {
    expect(withDecisions(null, []).openLines).toBe(2);
    expect(withDecisions(null, [{ index: 1, decision: 'accepted' }]).openLines).toBe(2);
    expect(withDecisions(null, [{ index: 2, decision: 'not_a_line' }]).openLines).toBe(1);
  });

  it('keeps who decided about a line that another person leaves as it is', () => {
    const first = withDecisions(null, [{ index: 0, decision: 'corrected', values: { days: 30 } }]);
    const lines = [
      { index: 0, decision: 'corrected', values: { days: 30 } } as const,
      { index: 2, decision: 'accepted' } as const,
    ];
    const second = withDecisions(first, lines, bob);
    expect(second.lines.map(({ index, by }) => [index, by.id])).toEqual([
      [0, 'usr_ann'],
      [2, 'usr_bob'],
    ]);
    expect(second.changes.map(({ version, index, by }) => [version, index, by.id])).toEqual([
      [1, 0, 'usr_ann'],
      [2, 2, 'usr_bob'],
    ]);
  });

  it('takes a correction equal to the reading for an acceptance', () => {
    const { lines } = withDecisions(null, [{ index: 0, decision: 'corrected', values: { days: 3 } }]);
    expect(lines).toMatchObject([{ decision: 'accepted', before: {}, after: {} }]);
  });

  it('refuses a version that is not the present one, and a line that is named twice', () => {
    const first = withDecisions(null, []);
    expect(() => reviewed(page, first, { version: 0, lines: [] }, ann, first.updatedAt)).toThrow(
      'has changed since you read it',
    );
    const twice = { index: 0, decision: 'accepted' } as const;
    expect(() => withDecisions(null, [twice, twice])).toThrow('names a line twice');
  });
});
