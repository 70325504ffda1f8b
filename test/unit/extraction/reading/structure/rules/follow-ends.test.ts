import { describe, expect, it } from 'vitest';
import { followEnds } from '../../../../../../functions/extraction/domain/reading/structure/rules/follow-ends.ts';

const SIZE = { width: 60, height: 20 };
const MAX_GAP = 3;

function inkAt(...places: readonly (readonly [x: number, y: number])[]) {
  const bits = new Uint8Array(SIZE.width * SIZE.height);
  for (const [x, y] of places) bits[y * SIZE.width + x] = 1;
  return { ...SIZE, bits };
}
const span = (from: number, to: number, y: number) =>
  Array.from({ length: to - from }, (_, index) => [from + index, y] as const);

/** Found from 20 to 40, in the middle of a rule that extends to both sides. */
const found = {
  from: 20,
  to: 40,
  at: 10,
  slope: 0,
  thickness: 1,
  path: new Float64Array(20).fill(10),
  group: [{ y: 10, from: 20, to: 40 }],
};
const ends = (ink: ReturnType<typeof inkAt>, most = 30) => {
  const { from, to, path } = followEnds(found, ink, most, MAX_GAP);
  return { from, to, first: path[0], last: path.at(-1), length: path.length };
};

describe('followEnds', () => {
  it('follows a rule that steps from row to row, to both sides', () => {
    const ink = inkAt(...span(5, 12, 8), ...span(12, 20, 9), ...span(20, 40, 10), ...span(40, 52, 11));
    expect(ends(ink)).toEqual({ from: 5, to: 52, first: 8, last: 11, length: 47 });
    expect(followEnds(found, ink, 30, MAX_GAP).group).toHaveLength(1 + 15 + 12);
  });

  it('continues behind a scratch, and lies as high there as before it', () => {
    const ink = inkAt(...span(14, 18, 11), ...span(20, 40, 10), ...span(43, 50, 9));
    const { path, from, to } = followEnds(found, ink, 30, MAX_GAP);
    expect([from, to]).toEqual([14, 50]);
    expect([...path.slice(0, 7)]).toEqual([11, 11, 11, 11, 11, 11, 10]);
    expect([...path.slice(-10)]).toEqual([10, 10, 10, 9, 9, 9, 9, 9, 9, 9]);
  });

  it('ends where the rule does, where a step is higher than its own, and no farther than it is asked', () => {
    expect(ends(inkAt(...span(20, 40, 10), ...span(44, 50, 10))).to).toBe(40);
    expect(ends(inkAt(...span(20, 40, 10), ...span(40, 50, 12))).to).toBe(40);
    expect(ends(inkAt(...span(20, 60, 10)), 5).to).toBe(45);
    expect(followEnds(found, inkAt(...span(20, 40, 10)), 30, MAX_GAP)).toBe(found);
  });
});
