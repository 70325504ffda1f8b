import { describe, expect, it } from 'vitest';
import { grayWithoutSeals } from '../../../../../functions/extraction/domain/reading/page/gray-without-seals.ts';

const SIDE = 400;
const RED = [214, 60, 50] as const;

/** A square picture; paper has grain, a window's ground has none. */
function picture(ground: 'paper' | 'window'): Uint8Array {
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) rgb.fill(ground === 'paper' ? 238 + ((i * 7919) % 5) : 240, 3 * i, 3 * i + 3);
  return rgb;
}

/** Ink lets through what is below it. */
function fill(rgb: Uint8Array, left: number, top: number, width: number, height: number, ink: readonly number[]): void {
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++)
      for (let k = 0; k < 3; k++) {
        const at = (y * SIDE + x) * 3 + k;
        rgb[at] = (rgb[at]! * ink[k]!) / 255;
      }
}

/** A square seal of 60 pixels over a black line of print. */
function sealed(ground: 'paper' | 'window'): Uint8Array {
  const rgb = picture(ground);
  fill(rgb, 100, 128, 120, 4, [25, 25, 25]);
  for (const [left, top, width, height] of [
    [120, 100, 60, 6],
    [120, 154, 60, 6],
    [120, 106, 6, 48],
    [174, 106, 6, 48],
  ] as const)
    fill(rgb, left, top, width, height, RED);
  return rgb;
}

function gray(rgb: Uint8Array): (x: number, y: number) => number {
  const { pixels } = grayWithoutSeals({ width: SIDE, height: SIDE, rgb });
  return (x, y) => pixels[y * SIDE + x]!;
}

describe('grayWithoutSeals', () => {
  it('takes a red seal out and leaves the print that it covers', () => {
    const level = gray(sealed('paper'));
    expect(level(150, 103)).toBeGreaterThan(225);
    expect(level(123, 115)).toBeGreaterThan(225);
    expect(level(123, 130)).toBeLessThan(60);
    expect(level(150, 130)).toBeLessThan(60);
  });

  it('takes out the thin letters inside a seal, which are hardly red', () => {
    const rgb = sealed('paper');
    fill(rgb, 140, 112, 8, 2, [230, 205, 205]);
    expect(gray(rgb)(144, 113)).toBeGreaterThan(210);
  });

  it('takes out a pale seal and a dark ring that crosses it, and leaves gray print below and beside them', () => {
    const rgb = picture('paper');
    fill(rgb, 100, 128, 120, 3, [120, 120, 120]);
    fill(rgb, 100, 121, 120, 2, [120, 120, 120]);
    fill(rgb, 110, 100, 60, 6, [225, 140, 150]);
    fill(rgb, 110, 106, 6, 60, [225, 140, 150]);
    fill(rgb, 105, 124, 100, 4, [185, 30, 45]);
    fill(rgb, 201, 100, 4, 60, [185, 30, 45]);
    const level = gray(rgb);
    expect([level(140, 103), level(150, 126), level(203, 110)].every((each) => each > 210)).toBe(true);
    expect([level(113, 129), level(203, 129), level(150, 129), level(150, 122)].every((each) => each < 150)).toBe(true);
  });

  it('leaves red letters, whose size is that of print', () => {
    const rgb = picture('paper');
    fill(rgb, 50, 50, 4, 7, RED);
    expect(gray(rgb)(52, 53)).toBeLessThan(150);
  });

  it('leaves a form that is printed in red', () => {
    const rgb = picture('paper');
    for (let y = 20; y < 380; y += 18) fill(rgb, 20, y, 360, 2, RED);
    for (let x = 20; x < 380; x += 40) fill(rgb, x, 20, 2, 342, RED);
    expect(gray(rgb)(200, 21)).toBeLessThan(150);
  });

  it("leaves what a program's window shows in red", () => {
    expect(gray(sealed('window'))(150, 103)).toBeLessThan(150);
  });

  it('makes gray of as much light as the colour has', () => {
    const rgb = picture('window');
    fill(rgb, 0, 0, 10, 10, [0, 0, 0]);
    fill(rgb, 20, 0, 10, 10, [0, 255, 0]);
    const level = gray(rgb);
    expect([level(100, 100), level(5, 5)]).toEqual([240, 0]);
    expect(level(25, 5)).toBeGreaterThan(190);
  });
});
