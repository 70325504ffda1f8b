import { describe, expect, it } from 'vitest';
import type { Dash } from '../../../../../../functions/extraction/domain/reading/structure/rules/dash-evidence.ts';
import { dashesInPhase } from '../../../../../../functions/extraction/domain/reading/structure/rules/dashes-in-phase.ts';

const LETTER_HEIGHT = 16;
const STEP = 12;
const dash = (from: number, at: number): Dash => ({ from, to: from + 7, at, thickness: 2 });
/** A rule of fifty dashes, a pixel off its places here and there. */
const rule = Array.from({ length: 50 }, (_, n) => dash(60 + n * STEP + (n % 7 === 3 ? 1 : 0), 400));
/** Dashes at some places of the rule's, this number of pixels behind them. */
const left = (places: readonly number[], at: number, behind = 0) =>
  places.map((n) => dash(60 + n * STEP + behind, at + (n % 2)));
const SOME = [0, 1, 14, 15, 31, 32, 37, 44];
const found = (...dashes: readonly Dash[]) =>
  dashesInPhase([...rule, ...dashes], [rule], LETTER_HEIGHT).map((row) => [row[0]!.from, row.length]);

describe('dashes at the places of those of a rule', () => {
  it('are what print has left of another one, on either side of it', () => {
    expect(found(...left(SOME, 300), ...left(SOME.slice(1), 500))).toEqual([
      [60, 8],
      [72, 7],
    ]);
  });

  it('are a rule though a stroke of a letter lies next to them now and then', () => {
    expect(found(...left(SOME, 300), ...left([5, 8], 300, 5))).toEqual([[60, 8]]);
  });

  it.each([
    ['elsewhere', left(SOME, 300, 5)],
    ['at the places no more often than by chance', [...left(SOME, 300), ...left([3, 5, 8, 20, 25], 300, 5)]],
    ['too seldom', left(SOME.slice(0, 5), 300)],
    ['close together, as in a word', left([3, 4, 5, 6, 7, 8, 9], 300)],
    ['on no one level', SOME.flatMap((n) => left([n], 300 + 4 * n))],
    ['beyond the rule', left(SOME, 300).map(({ from, ...rest }) => ({ ...rest, from: from + 900, to: from + 907 }))],
  ])('are none %s', (_, dashes) => {
    expect(found(...dashes)).toEqual([]);
  });

  it('are searched next to the nearest rule', () => {
    const other = rule.map(({ from, to, ...rest }) => ({ ...rest, from: from + 5, to: to + 5, at: 320 }));
    const rows = dashesInPhase([...rule, ...other, ...left(SOME, 300, 5)], [rule, other], LETTER_HEIGHT);
    expect(rows.map(({ length }) => length)).toEqual([8]);
  });
});
