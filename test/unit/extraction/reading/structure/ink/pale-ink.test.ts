import { describe, expect, it } from 'vitest';
import { findComponents } from '../../../../../../functions/extraction/domain/reading/structure/ink/components.ts';
import {
  darkestOf,
  darknessOfOtherSide,
  paleInk,
  shinesThrough,
} from '../../../../../../functions/extraction/domain/reading/structure/ink/pale-ink.ts';
import { withoutShineThrough } from '../../../../../../functions/extraction/domain/reading/structure/rules/shine-through.ts';
import type { Frame } from '../../../../../../functions/extraction/domain/reading/structure/tables/stacked-grids.ts';
import { fill, flatPicture, letters, rule } from '../../../../../helpers/draw.ts';

const LETTER_HEIGHT = 14;

function darkness(frame: Frame, letters: readonly number[] = []): number | null {
  return darknessOfOtherSide([frame], [withoutShineThrough(frame, LETTER_HEIGHT)], letters);
}

describe('print that shines through from the other side', () => {
  it("is ink that is nowhere as dark as the page's; marks next to letters and strokes that touch them are not", () => {
    const page = flatPicture(300, 60, 255);
    letters(page, 10, 20, 3, 20);
    fill(page, 44, 32, 2, 2, 170);
    letters(page, 120, 20, 2, 170);
    fill(page, 200, 32, 2, 2, 170);
    letters(page, 250, 20, 1, 20);
    fill(page, 259, 24, 6, 2, 170);
    const ink = { width: 300, height: 60, bits: page.pixels.map((level) => (level < 200 ? 1 : 0)) };
    const pale = { ...ink, bits: paleInk(ink, page, 130, LETTER_HEIGHT) };
    expect(findComponents(pale).map(({ left, right }) => [left, right])).toEqual([
      [120, 129],
      [132, 141],
      [200, 202],
    ]);
  });

  it('is absent if hardly a letter is as pale as the rules of the other side', () => {
    const print = Array.from({ length: 60 }, (_, i) => 110 + i);
    expect(shinesThrough(print, 112)).toBe(false);
    expect(shinesThrough(print, 140)).toBe(true);
  });

  const frame = (own: number, back: number) => ({
    horizontal: [
      ...[0, 40, 80, 120, 160].map((at) => rule(at, 0, 400, own)),
      ...[55, 95].map((at) => rule(at, 30, 330, back)),
    ],
    vertical: [...[0, 100, 200, 400].map((at) => rule(at, 0, 160, own)), rule(250, 12, 148, back)],
  });

  it('is recognised by its rules, which cross those of the page and are paler', () => {
    expect(darkness(frame(200, 60))).toBe(130);
    expect(darkness(frame(200, 200))).toBeNull();
  });

  it('is paler than letters that are paler than the rules of their own form', () => {
    const print = Array.from({ length: 60 }, (_, i) => 110 + i);
    expect(darkness(frame(200, 60), print)).toBeLessThan(110);
    expect(darkness(frame(200, 60), print.slice(0, 15))).toBe(130);
  });

  const { horizontal, vertical } = frame(200, 120);
  const uneven = {
    horizontal: horizontal.map((one) => (one.at % 80 === 0 ? { ...one, darkness: 140 } : one)),
    vertical,
  };

  it('is not recognised by rules that are hardly paler than the palest of the page’s own', () => {
    expect(darkness(uneven)).toBeNull();
  });

  it('is then recognised by its letters, where no letter is darker than those and paler than most', () => {
    const pale = Array.from({ length: 40 }, (_, i) => 100 + i);
    expect(darkness(uneven, [...pale, ...new Array(60).fill(220)])).toBe(150);
    expect(darkness(uneven, [...pale, ...new Array(30).fill(220)])).toBeNull();
    expect(darkness(uneven, [...pale, ...pale.map((one) => one + 40), ...pale.map((one) => one + 80)])).toBeNull();
  });

  it('is as dark as letters are where these are darkest', () => {
    const page = flatPicture(100, 60, 255);
    letters(page, 10, 20, 2, 100);
    fill(page, 12, 25, 1, 1, 30);
    fill(page, 60, 32, 2, 2, 20);
    const ink = { width: 100, height: 60, bits: page.pixels.map((level) => (level < 200 ? 1 : 0)) };
    expect(darkestOf(findComponents(ink), page, LETTER_HEIGHT)).toEqual([225, 155]);
  });
});
