import { describe, expect, it } from 'vitest';
import { followRule } from '../../../../../functions/extraction/domain/reading/page/follow-rule.ts';
import type { TracedRule } from '../../../../../functions/extraction/domain/reading/structure/rules/ruled-lines.ts';

const WIDTH = 600;
const HEIGHT = 200;
const LETTER = 20;
const climb = (x: number) => 100 - 0.0005 * Math.max(0, x - 200) ** 2;

/** A rule two pixels thick at this height, from 40 to 520. */
function drawn(
  heightAt: (x: number) => number,
  marks: (put: (x: number, y: number, level: number) => void) => void = () => {},
) {
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(255);
  const put = (x: number, y: number, level: number) => {
    pixels[y * WIDTH + x] = level;
  };
  for (let x = 40; x < 520; x++) for (const y of [0, 1]) put(x, Math.round(heightAt(x)) + y, 40);
  marks(put);
  return { width: WIDTH, height: HEIGHT, pixels };
}

function piece(from: number, to: number, heightAt: (x: number) => number): TracedRule {
  const path = Float64Array.from({ length: to - from }, (_, i) => Math.round(heightAt(from + i)) + 0.5);
  return { from, to, at: 100, slope: 0, thickness: 2, darkness: 215, path };
}

function offFrom(rule: TracedRule, heightAt: (x: number) => number): number {
  return Math.max(...rule.path.map((y, i) => Math.abs(y - heightAt(rule.from + i) - 0.5)));
}

describe('followRule', () => {
  it('continues to both ends of a rule that climbs ever more steeply', () => {
    const rule = followRule(piece(120, 260, climb), drawn(climb), LETTER);
    expect(rule).toMatchObject({ from: 40, to: 520 });
    expect(offFrom(rule, climb)).toBeLessThan(2);
  });

  it('passes print that touches the rule and a scratch through it', () => {
    const page = drawn(climb, (put) => {
      for (let x = 300; x < 315; x++) for (let y = 70; y < 110; y++) put(x, y, 30);
      for (let x = 400; x < 410; x++) for (let y = 0; y < HEIGHT; y++) put(x, y, 255);
    });
    const rule = followRule(piece(120, 260, climb), page, LETTER);
    expect(rule).toMatchObject({ from: 40, to: 520 });
    expect(offFrom(rule, climb)).toBeLessThan(2.5);
  });

  it('ends at the border that the rule ends at', () => {
    const page = drawn(climb, (put) => {
      for (let x = 520; x < 524; x++) for (let y = 20; y < 180; y++) put(x, y, 40);
    });
    expect(followRule(piece(120, 260, climb), page, LETTER).to).toBe(520);
  });

  it('does not jump over a gap to ink outside the rule', () => {
    const page = drawn((x) => (x < 300 || x > 360 ? 100 : 20));
    expect(
      followRule(
        piece(120, 260, () => 100),
        page,
        LETTER,
      ).to,
    ).toBe(300);
  });
});
