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
 * Red ink lets red light through, and print below it does not: a pixel is as dark as its red is below what the ink alone leaves of it, in and
 * around the seal.
 */
function takeOut({ width, pixels }: Raster, { height, rgb }: ColourPicture, blocks: Component): void {
  const [left, right] = [Math.max(0, (blocks.left - 1) * BLOCK), Math.min(width, (blocks.right + 1) * BLOCK)];
  const [top, bottom] = [Math.max(0, (blocks.top - 1) * BLOCK), Math.min(height, (blocks.bottom + 1) * BLOCK)];
  const isRed = (i: number) =>
    rgb[3 * i]! - rgb[3 * i + 1]! >= MIN_REDNESS && rgb[3 * i]! - rgb[3 * i + 2]! >= MIN_REDNESS;
  const box: number[] = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) box.push(y * width + x);
  const ofPaper = (level: (i: number) => number) => quantileLevel(histogramOf(Uint8Array.from(box, level)), PAPER);
  const paper = ofPaper((i) => pixels[i]!);
  // As parts of the paper's: paper is white in few pictures.
  const part = (channel: 0 | 1 | 2) => {
    const white = Math.max(
      1,
      ofPaper((i) => rgb[3 * i + channel]!),
    );
    return (i: number) => rgb[3 * i + channel]! / white;
  };
  const [red, green, blue] = [part(0), part(1), part(2)];
  const redness = (i: number) => red(i) - Math.max(green(i), blue(i));
  // How much red the ink takes away for each part by which it takes away more of the other colours: as much where it is pale as where it is dark.
  const taken = Math.max(0, medianOf(box.filter(isRed).map((i) => (1 - red(i)) / redness(i))));
  for (const i of box) {
    const left = 1 - taken * Math.max(0, redness(i));
    if (left > 0) pixels[i] = Math.max(pixels[i]!, paper * Math.min(1, red(i) / left));
  }
}
