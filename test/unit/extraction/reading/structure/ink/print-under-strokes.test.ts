import { describe, expect, it } from 'vitest';
import { findComponents } from '../../../../../../functions/extraction/domain/reading/structure/ink/components.ts';
import type { Ink } from '../../../../../../functions/extraction/domain/reading/structure/ink/ink.ts';
import { withPrintUnderStrokes } from '../../../../../../functions/extraction/domain/reading/structure/ink/print-under-strokes.ts';

const LETTER_HEIGHT = 16;
/** Left edges of letters on one line, 12 wide. */
const LETTERS = [40, 60, 80, 100, 120];

describe('letters that a stroke of a pen joins', () => {
  it('stay in their places, and the piece is a stroke', () => {
    const components = found((ink) => drawSlanting(ink, { from: 56, to: 190, top: 8, bottom: 40 }));
    const strokes = components.filter(({ stroke }) => stroke);
    expect(strokes.map(({ left, right }) => [left, right])).toEqual([[56, 190]]);
    expect(LETTERS.map((left) => components.some((one) => !one.stroke && isWithin(one, left)))).toEqual(
      LETTERS.map(() => true),
    );
  });

  it('are left alone where none does', () => {
    const components = found(() => {});
    expect(components).toHaveLength(LETTERS.length);
    expect(components.some(({ stroke }) => stroke)).toBe(false);
  });

  it('are not found in a stroke that passes print by', () => {
    const components = found((ink) => drawSlanting(ink, { from: 10, to: 190, top: 50, bottom: 90 }));
    expect(components).toHaveLength(LETTERS.length + 1);
    expect(components.some(({ stroke }) => stroke)).toBe(false);
  });
});

/** A line of letters, hollow squares, and what else is drawn. */
function found(draw: (ink: Ink) => void) {
  const ink: Ink = { width: 200, height: 100, bits: new Uint8Array(200 * 100) };
  for (const left of LETTERS)
    for (let y = 16; y < 32; y++)
      for (let x = left; x < left + 12; x++)
        if (y < 18 || y >= 30 || x < left + 2 || x >= left + 10) ink.bits[y * ink.width + x] = 1;
  draw(ink);
  return withPrintUnderStrokes(ink, findComponents(ink), LETTER_HEIGHT);
}

function drawSlanting(ink: Ink, { from, to, top, bottom }: { from: number; to: number; top: number; bottom: number }) {
  for (let x = from; x < to; x++) {
    const y = Math.round(top + ((bottom - top) * (x - from)) / (to - from));
    ink.bits[y * ink.width + x] = 1;
    ink.bits[(y + 1) * ink.width + x] = 1;
  }
}

function isWithin({ left, right, top, bottom }: ReturnType<typeof found>[number], letter: number): boolean {
  return left >= letter - 2 && right <= letter + 14 && top >= 14 && bottom <= 34 && right - left >= 8;
}
