import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, compose, inverse, ontoQuad, quarterTurn } from '../../../bench/corpus/camera/homography.ts';
import type { Quad } from '../../../bench/corpus/truth.ts';

const jitter = fc.double({ min: -60, max: 60, noNaN: true });
const quads = fc.tuple(jitter, jitter, jitter, jitter, jitter, jitter, jitter, jitter).map(
  (j): Quad => [
    { x: 100 + j[0], y: 100 + j[1] },
    { x: 900 + j[2], y: 100 + j[3] },
    { x: 900 + j[4], y: 1300 + j[5] },
    { x: 100 + j[6], y: 1300 + j[7] },
  ],
);

describe('ontoQuad', () => {
  it('lays the corners of the page on the corners of the quad', () => {
    fc.assert(
      fc.property(quads, (quad) => {
        const onto = ontoQuad(700, 1000, quad);
        const corners = [
          { x: 0, y: 0 },
          { x: 700, y: 0 },
          { x: 700, y: 1000 },
          { x: 0, y: 1000 },
        ];
        corners.forEach((corner, i) => {
          expect(apply(onto, corner).x).toBeCloseTo(quad[i]!.x, 6);
          expect(apply(onto, corner).y).toBeCloseTo(quad[i]!.y, 6);
        });
      }),
    );
  });

  it('is undone by its inverse', () => {
    fc.assert(
      fc.property(quads, fc.nat(700), fc.nat(1000), (quad, x, y) => {
        const onto = ontoQuad(700, 1000, quad);
        const back = apply(compose(inverse(onto), onto), { x, y });
        expect(back.x).toBeCloseTo(x, 6);
        expect(back.y).toBeCloseTo(y, 6);
      }),
    );
  });
});

describe('quarterTurn', () => {
  it('moves the top left corner where a clockwise turn moves it', () => {
    const corner = { x: 0, y: 0 };
    expect(apply(quarterTurn(90, 300, 200), corner)).toEqual({ x: 200, y: 0 });
    expect(apply(quarterTurn(180, 300, 200), corner)).toEqual({ x: 300, y: 200 });
    expect(apply(quarterTurn(270, 300, 200), corner)).toEqual({ x: 0, y: 300 });
  });

  it('comes back after four turns', () => {
    const once = quarterTurn(90, 300, 200);
    const twice = compose(quarterTurn(90, 200, 300), once);
    const back = compose(compose(quarterTurn(90, 200, 300), quarterTurn(90, 300, 200)), twice);
    expect(apply(back, { x: 17, y: 5 })).toEqual({ x: 17, y: 5 });
  });
});
