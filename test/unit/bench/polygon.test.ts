import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersectionOverUnion } from '../../../bench/scoring/polygon.ts';

const square = (x: number, y: number, side: number) => [
  { x, y },
  { x: x + side, y },
  { x: x + side, y: y + side },
  { x, y: y + side },
];

describe('intersectionOverUnion', () => {
  it('is 1 for a polygon with itself, in either direction of its corners', () => {
    expect(intersectionOverUnion(square(3, 4, 10), square(3, 4, 10).reverse())).toBeCloseTo(1);
  });

  it('is a third for squares that share half of their area', () => {
    expect(intersectionOverUnion(square(0, 0, 10), square(5, 0, 10))).toBeCloseTo(1 / 3);
  });

  it('is 0 for polygons apart and for points', () => {
    expect(intersectionOverUnion(square(0, 0, 10), square(20, 20, 5))).toBe(0);
    expect(intersectionOverUnion(square(0, 0, 0), square(0, 0, 0))).toBe(0);
  });

  it('cuts corners off: a diamond in a square', () => {
    const diamond = [
      { x: 5, y: 0 },
      { x: 10, y: 5 },
      { x: 5, y: 10 },
      { x: 0, y: 5 },
    ];
    expect(intersectionOverUnion(square(0, 0, 10), diamond)).toBeCloseTo(0.5);
  });

  it('does not depend on the order of the two', () => {
    const side = fc.double({ min: 1, max: 50, noNaN: true });
    const place = fc.double({ min: -40, max: 40, noNaN: true });
    fc.assert(
      fc.property(place, place, side, side, (x, y, a, b) => {
        const there = intersectionOverUnion(square(0, 0, a), square(x, y, b));
        expect(intersectionOverUnion(square(x, y, b), square(0, 0, a))).toBeCloseTo(there, 9);
        expect(there).toBeGreaterThanOrEqual(0);
        expect(there).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});
