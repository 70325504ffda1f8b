import { medianOf } from '../../median.ts';
import { histogramOf, quantileLevel } from '../levels.ts';
import type { Raster } from '../raster.ts';
import { type Component, findComponents } from '../structure/components.ts';
import { isPaper } from './grain.ts';

/** Levels by which red is above green and blue in red ink, also where it is pale. */
const MIN_REDNESS = 26;
/** Side of the blocks in which red ink is put together. */
const BLOCK = 4;
/** A seal's or a ring's sides as parts of the picture's longer side: letters are smaller, a form's frame is larger. */
const MIN_SEAL = 0.03;
const MAX_SEAL = 0.35;
/** Part of what lies around a seal that is no lighter than paper. */
const PAPER = 0.8;
/** On more of the page than this, red is what the page is printed in. */
const MAX_RED_SHARE = 0.08;
/** Luminance of sRGB: the light of each primary by its level, and the level of gray with as much light. */
const LIGHT_STEPS = 8192;
/** In steps: a power of two, so that their sum is rounded as light's would be. */
const RED_LIGHT = lightOf(0.2126);
const GREEN_LIGHT = lightOf(0.7152);
const BLUE_LIGHT = lightOf(0.0722);
const LEVELS = Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, step) => {
  const light = step / LIGHT_STEPS;
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
});

function lightOf(primary: number): Float64Array {
  return Float64Array.from({ length: 256 }, (_, level) => {
    const value = level / 255;
    return LIGHT_STEPS * (primary * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  });
}

/** A colour picture, three bytes a pixel. */
interface ColourPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/**
 * Gray levels of a colour picture. On paper, seals and rings in red ink are taken out, and black print that they cover stays;
 * red letters and forms printed in red stay as they are.
 */
export function grayWithoutSeals(picture: ColourPicture): Raster {
  const { width, height, rgb } = picture;
  const pixels = new Uint8Array(width * height);
  const across = Math.ceil(width / BLOCK);
  const bits = new Uint8Array(across * Math.ceil(height / BLOCK));
  let red = 0;
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const r = rgb[3 * i]!;
      const g = rgb[3 * i + 1]!;
      const b = rgb[3 * i + 2]!;
      pixels[i] = LEVELS[Math.round(RED_LIGHT[r]! + GREEN_LIGHT[g]! + BLUE_LIGHT[b]!)]!;
      if (r - g < MIN_REDNESS || r - b < MIN_REDNESS) continue;
      red++;
      bits[Math.floor(y / BLOCK) * across + Math.floor(x / BLOCK)] = 1;
    }
  const gray = { width, height, pixels };
  if (red === 0 || red > MAX_RED_SHARE * pixels.length || !isPaper(gray)) return gray;
  const side = Math.max(width, height) / BLOCK;
  for (const part of findComponents({ width: across, height: bits.length / across, bits }))
    if (isSeal(part, side)) takeOut(gray, picture, part);
  return gray;
}

function isSeal({ left, right, top, bottom }: Component, side: number): boolean {
  const [shorter, longer] = [Math.min(right - left, bottom - top), Math.max(right - left, bottom - top)];
  return shorter >= MIN_SEAL * side && longer <= MAX_SEAL * side;
}

/**
 * Red ink lets red light through, and print below it does not: a pixel is as dark as its red is below what the ink alone leaves of it. Coders keep
 * colour at half the resolution of light: red ink is looked for in a pixel's neighbours too.
 */
function takeOut({ width, pixels }: Raster, { height, rgb }: ColourPicture, blocks: Component): void {
  const [left, right] = [Math.max(2, (blocks.left - 1) * BLOCK), Math.min(width - 2, (blocks.right + 1) * BLOCK)];
  const [top, bottom] = [Math.max(2, (blocks.top - 1) * BLOCK), Math.min(height - 2, (blocks.bottom + 1) * BLOCK)];
  const redness = (i: number) => rgb[3 * i]! - Math.max(rgb[3 * i + 1]!, rgb[3 * i + 2]!);
  const near = [-2 * width, -width, -2, -1, 0, 1, 2, width, 2 * width];
  const inked: number[] = [];
  const ink: number[] = [];
  const all: number[] = [];
  const reds: number[] = [];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const i = y * width + x;
      all.push(pixels[i]!);
      reds.push(rgb[3 * i]!);
      if (redness(i) >= MIN_REDNESS) ink.push(i);
      if (near.some((step) => redness(i + step) >= MIN_REDNESS)) inked.push(i);
    }
  const paper = quantileLevel(histogramOf(Uint8Array.from(all)), PAPER);
  const redOfPaper = quantileLevel(histogramOf(Uint8Array.from(reds)), PAPER);
  // How much red the ink takes away, as part of what it takes away of the other colours: as much for a pale seal as for a dark one.
  const taken = Math.max(0, medianOf(ink.map((i) => (redOfPaper - rgb[3 * i]!) / redness(i))));
  for (const i of inked) {
    const left = Math.max(1, redOfPaper - taken * Math.max(0, redness(i)));
    pixels[i] = Math.max(pixels[i]!, Math.min(paper, (paper * rgb[3 * i]!) / left));
  }
}
