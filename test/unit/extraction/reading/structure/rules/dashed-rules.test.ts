import { describe, expect, it } from 'vitest';
import { findComponents } from '../../../../../../functions/extraction/domain/reading/structure/ink/components.ts';
import { findDashedRules } from '../../../../../../functions/extraction/domain/reading/structure/rules/dashed-rules.ts';
import { fill, flatPicture, LETTER } from '../../../../../helpers/draw.ts';

describe('findDashedRules', () => {
  it('knows how dark and thick the dashes of a rule are: pale or thin pieces may be of one that shines through', () => {
    const page = flatPicture(600, 300, 255);
    for (let x = 20; x < 560; x += 12) fill(page, x, 40, 7, 2, 200);
    for (let y = 60; y < 280; y += 12) fill(page, 300, y, 3, 7, 60);
    const ink = { width: 600, height: 300, bits: page.pixels.map((level) => (level < 255 ? 1 : 0)) };
    const { horizontal, vertical } = findDashedRules(findComponents(ink), ink, LETTER.height, page);
    expect([...horizontal, ...vertical].map(({ darkness, thickness, ink }) => [darkness, thickness, ink])).toEqual([
      [55, 2, 2 * 55],
      [195, 3, 3 * 195],
    ]);
  });

  it('knows a rule of dashes that print mostly hides by others like it, and drops dashes far before it', () => {
    const page = flatPicture(900, 300, 255);
    for (const y of [40, 80]) for (let x = 20; x < 860; x += 12) fill(page, x, y, 7, 2, 60);
    for (let x = 500; x < 596; x += 12) fill(page, x, 120, 7, 2, 60);
    for (const x of [700, 707, 721]) fill(page, x, 160, 5, 2, 60);
    for (let y = 180; y < 290; y += 12) fill(page, 30, y, 2, 7, 60);
    const ink = { width: 900, height: 300, bits: page.pixels.map((level) => (level < 255 ? 1 : 0)) };
    const { horizontal } = findDashedRules(findComponents(ink), ink, LETTER.height, page);
    expect(horizontal.map(({ from, to }) => [from, to])).toEqual([
      [20, 855],
      [20, 855],
      [500, 591],
    ]);
  });

  it('ends a rule of dashes where white paper follows: a rule of an adjacent form may be level with it', () => {
    const page = flatPicture(900, 120, 255);
    for (const left of [20, 500]) for (let x = left; x < left + 380; x += 12) fill(page, x, 40, 7, 2, 60);
    for (let x = 20; x < 880; x += 12) if (x < 400 || x >= 500) fill(page, x, 80, 7, 2, 60);
    for (let x = 400; x < 500; x += 12) fill(page, x, 74, 7, 10, 20);
    const ink = { width: 900, height: 120, bits: page.pixels.map((level) => (level < 255 ? 1 : 0)) };
    const { horizontal } = findDashedRules(findComponents(ink), ink, LETTER.height, page);
    expect(horizontal.map(({ from, to, at }) => [Math.floor(at), from, to])).toEqual([
      [80, 20, 879],
      [40, 20, 399],
      [40, 500, 879],
    ]);
  });

  it('takes no thin parts of small letters in a row for a rule, but the rest of one next to letters', () => {
    const page = flatPicture(600, 100, 255);
    const starts = [20, 26, 29, 41, 45, 52, 63, 66, 78, 81, 89, 92, 104, 117, 121, 133, 137, 150, 153, 168];
    const lengths = [3, 1, 6, 2, 4, 1, 2, 5, 1, 4, 2, 1, 6, 2, 3, 1, 5, 2, 1, 4];
    const all = [0, 155].flatMap((shift) => starts.map((x) => x + shift));
    for (const [index, x] of all.entries()) fill(page, x, 40, lengths[index % lengths.length]!, 2, 60);
    const found = () => {
      const ink = { width: 600, height: 100, bits: page.pixels.map((level) => (level < 255 ? 1 : 0)) };
      return findDashedRules(findComponents(ink), ink, LETTER.height, page).horizontal.length;
    };
    expect(found(), 'alone').toBe(1);
    for (const x of all) fill(page, x, 46, 1, 4, 60);
    expect(found(), 'with strokes below').toBe(0);
  });
});
