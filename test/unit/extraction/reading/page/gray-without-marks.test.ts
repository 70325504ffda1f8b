import { describe, expect, it } from 'vitest';
import { grayWithoutMarks } from '../../../../../functions/extraction/domain/reading/page/gray-without-marks.ts';

const SIDE = 400;
const RED = [214, 60, 50] as const;
const BLACK = [25, 25, 25] as const;

/** A square picture; paper has grain, a window's ground has none. */
function picture(ground: 'paper' | 'window'): Uint8Array {
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) rgb.fill(ground === 'paper' ? 238 + ((i * 7919) % 5) : 240, 3 * i, 3 * i + 3);
  return rgb;
}

/** Ink lets the print below it through. */
function fill(rgb: Uint8Array, left: number, top: number, width: number, height: number, ink: readonly number[]): void {
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++)
      for (let k = 0; k < 3; k++) {
        const at = (y * SIDE + x) * 3 + k;
        rgb[at] = (rgb[at]! * ink[k]!) / 255;
      }
}

/** An ellipse in the middle, as a pen draws it. */
function ring(rgb: Uint8Array, across: number, down: number, ink: readonly number[]): void {
  const drawn = new Set<number>();
  for (let turn = 0; turn < 20_000; turn++) {
    const angle = (turn / 20_000) * 2 * Math.PI;
    const [x, y] = [Math.round(200 + across * Math.cos(angle)), Math.round(200 + down * Math.sin(angle))];
    for (const dx of [0, 1]) for (const dy of [0, 1]) drawn.add((y + dy) * SIDE + x + dx);
  }
  for (const at of drawn) fill(rgb, at % SIDE, Math.floor(at / SIDE), 1, 1, ink);
}

/** A square seal of 60 pixels over a black line of print. */
function sealed(ground: 'paper' | 'window'): Uint8Array {
  const rgb = picture(ground);
  fill(rgb, 100, 128, 120, 4, BLACK);
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
  const { pixels } = grayWithoutMarks({ width: SIDE, height: SIDE, rgb });
  return (x, y) => pixels[y * SIDE + x]!;
}

describe('grayWithoutMarks', () => {
  it('takes a red seal out and leaves the print that it covers', () => {
    const level = gray(sealed('paper'));
    expect(level(150, 103)).toBeGreaterThan(225);
    expect(level(123, 115)).toBeGreaterThan(225);
    expect(level(123, 130)).toBeLessThan(60);
    expect(level(150, 130)).toBeLessThan(60);
  });

  it('leaves the header of a form without frame that is printed in a colour', () => {
    const rgb = picture('paper');
    const blue = [58, 85, 168];
    fill(rgb, 40, 100, 320, 2, blue);
    for (const x of [150, 250]) fill(rgb, x, 102, 2, 120, blue);
    for (let x = 60; x < 345; x += 16) fill(rgb, x, 104, 9, 12, blue);
    expect(gray(rgb)(62, 110)).toBeLessThan(120);
    expect(gray(rgb)(200, 101)).toBeLessThan(120);
  });

  it('takes out a pale seal and a dark ring that crosses it, and leaves gray print below and next to them', () => {
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

  it('takes out a ring in any colour, however far it goes, and says where it was', () => {
    for (const ink of [RED, [57, 198, 44], [39, 70, 200]]) {
      const rgb = picture('paper');
      fill(rgb, 20, 150, 360, 3, BLACK);
      ring(rgb, 190, 60, ink);
      const { pixels, marks } = grayWithoutMarks({ width: SIDE, height: SIDE, rgb });
      const [left, top] = [10, 200];
      expect(pixels[top * SIDE + left]).toBeGreaterThan(225);
      // The light that the ink alone leaves of its colour is restored.
      const own = Math.max(...ink) / 255;
      expect((pixels[top * SIDE + left]! - marks![top * SIDE + left]!) / 240).toBeCloseTo(own, 1);
      expect(marks![top * SIDE + 100]).toBe(0);
      for (let x = 20; x < 380; x++) expect(pixels[151 * SIDE + x]).toBeLessThan(140);
    }
  });

  it('leaves a ring as dark as print, and the letters of its colour within it', () => {
    const dark = picture('paper');
    ring(dark, 190, 60, [34, 48, 79]);
    expect(gray(dark)(10, 200)).toBeLessThan(150);
    const blue = picture('paper');
    ring(blue, 190, 60, [39, 70, 200]);
    fill(blue, 150, 200, 4, 7, [39, 70, 200]);
    const level = gray(blue);
    expect(level(10, 200)).toBeGreaterThan(225);
    expect(level(152, 203)).toBeLessThan(150);
  });

  it('leaves a form and a box that are printed in blue', () => {
    const rgb = picture('paper');
    for (let y = 20; y < 380; y += 60) fill(rgb, 20, y, 360, 2, [40, 70, 190]);
    for (let x = 20; x < 390; x += 90) fill(rgb, x, 20, 2, 302, [40, 70, 190]);
    expect(gray(rgb)(200, 21)).toBeLessThan(150);
    const box = picture('paper');
    for (const y of [50, 120]) fill(box, 50, y, 200, 2, [40, 70, 190]);
    for (const x of [50, 248]) fill(box, x, 50, 2, 72, [40, 70, 190]);
    expect(gray(box)(150, 51)).toBeLessThan(150);
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
