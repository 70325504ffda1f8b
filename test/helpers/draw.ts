import type { Point, Quad } from '../../functions/extraction/domain/reading/geometry.ts';
import { warpQuad } from '../../functions/extraction/domain/reading/page/warp.ts';
import type { Raster } from '../../functions/extraction/domain/reading/raster.ts';
import type { RuledLine } from '../../functions/extraction/domain/reading/structure/rules/ruled-line.ts';

/** Pictures drawn pixel by pixel: they need no font and have an exact truth. */

export function flatPicture(width: number, height: number, level: number): Raster {
  return { width, height, pixels: new Uint8Array(width * height).fill(level) };
}

/** A sheet of bars in place of words, in ruled rows of irregular words. */
export function barPage(width: number, height: number, { ruled = false } = {}): Raster {
  const page = flatPicture(width, height, 245);
  const line = Math.round(height / 32);
  for (let y = 2 * line, row = 0; y < height - 2 * line; y += line, row++) {
    for (let x = width * 0.1, word = 0; x < width * 0.85; word++) {
      const length = width * (0.03 + 0.02 * ((row * 7 + word * 5) % 4));
      fill(page, x, y, Math.min(length, width * 0.9 - x), line * 0.5, 40);
      x += length + width * 0.02;
    }
    if (ruled) fill(page, width * 0.08, y + line * 0.72, width * 0.84, 2, 60);
  }
  return page;
}

export function fill(picture: Raster, left: number, top: number, width: number, height: number, level: number): void {
  for (let y = Math.round(top); y < Math.round(top + height); y++)
    picture.pixels.fill(level, y * picture.width + Math.round(left), y * picture.width + Math.round(left + width));
}

/** Letters are boxes: the structure of a page is found before any of them is read. */
export const LETTER = { width: 9, height: 14, step: 12 };

export function letters(page: Raster, left: number, top: number, count: number, level = 20): void {
  for (let i = 0; i < count; i++) fill(page, left + i * LETTER.step, top, LETTER.width, LETTER.height, level);
}

/** Lays a page into a picture, its corners at `corners`; every pixel of the picture is looked up on the page. */
export function layInto(picture: Raster, page: Raster, corners: Quad): Raster {
  // Seen from the page, the picture is a quad: the places of its corners on the page's plane.
  const toPage = planeOf(page, corners);
  const border: Quad = [
    toPage({ x: 0, y: 0 }),
    toPage({ x: picture.width, y: 0 }),
    toPage({ x: picture.width, y: picture.height }),
    toPage({ x: 0, y: picture.height }),
  ];
  // Pixels outside the page come out as paper; a second page, all black, identifies them.
  const laid = warpQuad(page, border, picture.width, picture.height);
  const stencil = warpQuad(flatPicture(page.width, page.height, 0), border, picture.width, picture.height);
  const pixels = laid.pixels.map((level, at) => (stencil.pixels[at] === 0 ? level : picture.pixels[at]!));
  return { ...picture, pixels };
}

/** Affine: the corners must form a parallelogram. */
function planeOf(page: Raster, [a, b, , d]: Quad): (point: Point) => Point {
  const u = { x: b.x - a.x, y: b.y - a.y };
  const v = { x: d.x - a.x, y: d.y - a.y };
  const determinant = u.x * v.y - u.y * v.x;
  return ({ x, y }) => {
    const dx = x - a.x;
    const dy = y - a.y;
    return {
      x: ((dx * v.y - dy * v.x) / determinant) * page.width,
      y: ((u.x * dy - u.y * dx) / determinant) * page.height,
    };
  };
}

/** A parallelogram that is a rectangle turned clockwise by some degrees around the picture's middle. */
export function turnedRectangle(
  picture: { width: number; height: number },
  width: number,
  height: number,
  degrees: number,
): Quad {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const corner = (sx: number, sy: number): Point => ({
    x: picture.width / 2 + (sx * width * cos - sy * height * sin) / 2,
    y: picture.height / 2 + (sx * width * sin + sy * height * cos) / 2,
  });
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** Small changes of level everywhere, always the same ones. */
export function withNoise(picture: Raster, amplitude: number): Raster {
  let state = 12_345;
  const pixels = picture.pixels.map((level) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.max(0, Math.min(255, level + Math.round((state / 2_147_483_648 - 0.5) * 2 * amplitude)));
  });
  return { ...picture, pixels };
}

/** A rule as it is found on a page, two pixels thick. @param darkness 255 less its level. */
export function rule(at: number, from: number, to: number, darkness: number): RuledLine {
  return { at, from, to, slope: 0, thickness: 2, darkness };
}
