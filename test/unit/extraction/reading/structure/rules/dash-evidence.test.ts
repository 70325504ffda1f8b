import { describe, expect, it } from 'vitest';
import {
  type Dash,
  rulesAmong,
} from '../../../../../../functions/extraction/domain/reading/structure/rules/dash-evidence.ts';

const LETTER_HEIGHT = 20;
const STEPS = [12, 18, 26, 40, 60, 90, 132];
const LENGTHS = [3, 5, 7, 10, 4, 6, 8];
/** Fourteen dashes of no one length and no one step, that begin so far apart on the average. */
const dashes = (step: number): readonly Dash[] => {
  let from = 0;
  return Array.from({ length: 14 }, (_, n) => {
    from += (STEPS[n % STEPS.length]! * step) / 54;
    return { from: Math.round(from), to: Math.round(from) + LENGTHS[n % LENGTHS.length]!, at: 100, thickness: 2 };
  });
};
const found = (row: readonly Dash[], direction: 'across' | 'down') =>
  rulesAmong([row], direction, () => false, LETTER_HEIGHT).length;

describe('uneven dashes in a row', () => {
  it('are what print has left of a rule', () => {
    expect(found(dashes(30), 'across')).toBe(1);
    expect(found(dashes(30), 'down')).toBe(1);
  });

  it('are strokes of letters down the page if they are as far apart as its lines, and may be the rest of a rule across it', () => {
    expect(found(dashes(65), 'down')).toBe(0);
    expect(found(dashes(65), 'across')).toBe(1);
  });
});
