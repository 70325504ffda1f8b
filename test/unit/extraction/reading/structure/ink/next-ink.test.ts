import { describe, expect, it } from 'vitest';
import {
  forInk,
  foursOf,
  nextInk,
} from '../../../../../../functions/extraction/domain/reading/structure/ink/next-ink.ts';

describe('the next ink of a mask', () => {
  const mask = new Uint8Array(23);
  for (const i of [0, 5, 6, 15, 22]) mask[i] = 1;

  it('is found from any place, and no further than asked', () => {
    const fours = foursOf(mask);
    expect([0, 1, 6, 7, 16].map((from) => nextInk(mask, fours, from, 23))).toEqual([0, 5, 6, 15, 22]);
    expect([9, 10, 14, 15].map((end) => nextInk(mask, fours, 7, end))).toEqual([9, 10, 14, 15]);
  });

  it('is visited once, in order', () => {
    const visited: number[] = [];
    forInk(mask, (i) => visited.push(i));
    expect(visited).toEqual([0, 5, 6, 15, 22]);
  });
});
