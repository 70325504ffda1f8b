import { describe, expect, it } from 'vitest';
import { flatten } from '../../../../../functions/extraction/domain/reading/page/flatten.ts';
import { followRule } from '../../../../../functions/extraction/domain/reading/page/follow-rule.ts';
import type { Raster } from '../../../../../functions/extraction/domain/reading/raster.ts';
import type { TracedRule } from '../../../../../functions/extraction/domain/reading/structure/rules/ruled-lines.ts';
import { barPage, withNoise } from '../../../../helpers/draw.ts';
import { drawnStructure } from '../../../../helpers/drawn-layout.ts';

const page = withNoise(barPage(1500, 900, { ruled: true }), 6);

/** The page with each column moved down by a number of pixels, less the further down it is. */
function bent({ width, height, pixels }: Raster, by: (across: number) => number): Raster {
  const moved = new Uint8Array(pixels.length).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = y - Math.round(by(x / width) * (1 - y / (2 * height)));
      if (from >= 0 && from < height) moved[y * width + x] = pixels[from * width + x]!;
    }
  return { width, height, pixels: moved };
}

function wholeRules(raster: Raster): readonly TracedRule[] {
  const { ruled, letterHeight } = drawnStructure(raster)!;
  return ruled.rows.map((rule) => followRule(rule, ruled.page, letterHeight));
}

/** How far the rules across the page leave their rows, at most. */
function bendOf(raster: Raster): number {
  const long = wholeRules(raster).filter(({ from, to }) => to - from > raster.width / 4);
  return Math.max(...long.map(({ path }) => Math.max(...path) - Math.min(...path)));
}

function flattened(raster: Raster): Raster | null {
  return flatten(raster, wholeRules(raster), drawnStructure(raster)!.letterHeight);
}

// Whole pages are searched for their rules.
describe('flatten', { timeout: 60_000 }, () => {
  it.each([
    ['bows', (u: number) => 10 * 4 * u * (1 - u)],
    ['sags', (u: number) => -10 * 4 * u * (1 - u)],
    ['rises to one side', (u: number) => 18 * u ** 2],
    ['waves', (u: number) => 8 * Math.sin(5 * u)],
    ['lies flat but for one side', (u: number) => 240 * Math.max(0, u - 0.55) ** 2],
  ])('pulls the rules of paper that %s straight', (_, by) => {
    const curled = bent(page, by);
    expect(bendOf(curled)).toBeGreaterThan(5);
    expect(bendOf(flattened(curled)!)).toBeLessThanOrEqual(4);
  });

  it('asks only the rules of this side, not paler ones that shine through and run otherwise', () => {
    const curled = bent(page, (u) => 10 * 4 * u * (1 - u));
    const { letterHeight } = drawnStructure(curled)!;
    const rules = wholeRules(curled);
    const otherSide = rules.slice(0, rules.length >> 1).map((rule) => ({
      ...rule,
      darkness: 0.4 * rule.darkness,
      path: rule.path.map((y, x) => 2 * rule.path[0]! - y + 0.02 * x),
    }));
    expect(bendOf(flatten(curled, [...rules, ...otherSide], letterHeight)!)).toBeLessThan(3);
  });

  it('leaves a page alone that lies flat', () => {
    expect(flattened(page)).toBeNull();
  });

  it('leaves a page alone with only three rules as evidence, one of them by both its edges', () => {
    const { letterHeight } = drawnStructure(page)!;
    const rule = (y: number, from: number, to: number, slant = 0): TracedRule => {
      const path = Float64Array.from({ length: to - from }, (_, x) => y + slant * x);
      return { from, to, at: y, slope: slant, thickness: 1, darkness: 18, path };
    };
    // The visible part of the upper and the lower edge of a turned sheet.
    const edges = [rule(20, 530, 1450, 0.037), rule(840, 30, 970, 0.038)];
    expect(flatten(page, [rule(180, 130, 1360), rule(181, 130, 1360), ...edges], letterHeight)).toBeNull();
    expect(flatten(page, [rule(180, 130, 1360), rule(190, 130, 1360), ...edges], letterHeight)).not.toBeNull();
  });

  it("leaves a page alone that lies flat, though a pen's stroke runs askew across it", () => {
    const rules = wholeRules(page);
    const { letterHeight } = drawnStructure(page)!;
    const middle = rules[rules.length >> 1]!;
    const stroke = { ...middle, path: middle.path.map((y, x) => y + 30 - 0.1 * x) };
    expect(flatten(page, [...rules.slice(0, 2), stroke, ...rules.slice(-2)], letterHeight)).toBeNull();
  });

  it('leaves a cutting alone that lies flat, though two strokes run askew across its list', () => {
    const rules = wholeRules(page);
    const { letterHeight } = drawnStructure(page)!;
    const middle = rules[rules.length >> 1]!;
    const stroke = (down: number) => ({ ...middle, path: middle.path.map((y, x) => y + down - 0.08 * x) });
    const few = [...rules.slice(0, 2), stroke(20), stroke(60), ...rules.slice(-1)];
    expect(flatten(page, few, letterHeight)).toBeNull();
  });

  it('leaves a page alone whose rules say nothing of how it bends', () => {
    const curled = bent(page, (u) => 10 * 4 * u * (1 - u));
    const rules = wholeRules(curled);
    const { letterHeight } = drawnStructure(curled)!;
    expect(flatten(curled, rules.slice(0, 3), letterHeight)).toBeNull();
    const askew = rules.map((rule, i) => ({
      ...rule,
      path: rule.path.map((y, x) => y + 9 * Math.sin(x / 9 + i)),
    }));
    expect(flatten(curled, askew, letterHeight)).toBeNull();
  });
});
