import { describe, expect, it } from 'vitest';
import { straightRules } from '../../../../../../functions/extraction/domain/reading/structure/rules/straight-rules.ts';

const LETTER_HEIGHT = 10;
const [WIDTH, HEIGHT] = [400, 400];

/** A line whose height at every place is given. */
function line(from: number, to: number, heightAt: (x: number) => number) {
  const path = Float64Array.from({ length: to - from }, (_, index) => heightAt(from + index));
  const slope = (path.at(-1)! - path[0]!) / (path.length - 1);
  return { from, to, at: path[0]! - slope * from, slope, thickness: 1, path };
}

const level = (y: number, bend = 0) => line(20, 380, (x) => y + bend * Math.sin((Math.PI * (x - 20)) / 360));
const RULES = [20, 60, 100, 140, 180, 220, 260, 300].map((y) => level(y));
const ARC = line(100, 250, (x) => 120 - 4 * Math.sin((Math.PI * (x - 100)) / 150));
const STROKE = line(100, 250, (x) => 150 + (x - 100) / 20);

/** Rules down the page at both sides of the form, and in the requested places. */
function across(...columns: readonly number[]) {
  const bits = new Uint8Array(WIDTH * HEIGHT);
  for (const x of [20, 380, ...columns]) for (let y = 20; y < 300; y++) bits[y * WIDTH + x] = 1;
  return { width: WIDTH, height: HEIGHT, threshold: 128, bits };
}

describe('the straight rules of a page', () => {
  it('are all but what rises or bends as a ring of a pen does', () => {
    expect(straightRules([...RULES, ARC], across(), LETTER_HEIGHT)).toEqual(RULES);
    expect(straightRules([...RULES, STROKE], across(), LETTER_HEIGHT)).toEqual(RULES);
  });

  it('are also those that bend a little and end at other rules', () => {
    expect(straightRules([...RULES, ARC], across(100, 250), LETTER_HEIGHT)).toEqual([...RULES, ARC]);
  });

  it('are all lines of a paper that bends', () => {
    const bent = [20, 60, 100, 140, 180, 220].map((y) => level(y, 3));
    expect(straightRules([...bent, ARC], across(), LETTER_HEIGHT)).toEqual([...bent, ARC]);
  });
});
