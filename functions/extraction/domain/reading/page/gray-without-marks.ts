import type { Raster } from '../raster.ts';
import { BLOCK, type ColourPicture, colouredMarks, HUES, type Hue, hueOf } from './coloured-marks.ts';
import { isPaper } from './grain.ts';
import { takeOutMarks } from './take-out-marks.ts';

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

/**
 * Gray levels of a colour picture. On paper, seals in red ink and pens' strokes in any colour are taken out, and black print that they
 * cover stays; coloured letters and forms stay as they are.
 */
export function grayWithoutMarks(picture: ColourPicture): Raster {
  const { width, height, rgb } = picture;
  const pixels = new Uint8Array(width * height);
  const across = Math.ceil(width / BLOCK);
  const none = () => new Uint8Array(across * Math.ceil(height / BLOCK));
  const counts: Readonly<Record<Hue, Uint8Array>> = { red: none(), green: none(), blue: none() };
  let isColoured = false;
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const r = rgb[3 * i]!;
      const g = rgb[3 * i + 1]!;
      const b = rgb[3 * i + 2]!;
      pixels[i] = LEVELS[(RED_LIGHT[r]! + GREEN_LIGHT[g]! + BLUE_LIGHT[b]! + 0.5) | 0]!;
      const hue = hueOf(r, g, b);
      if (hue === null) continue;
      isColoured = true;
      counts[hue][Math.floor(y / BLOCK) * across + Math.floor(x / BLOCK)]!++;
    }
  const gray = { width, height, pixels };
  if (!isColoured || !isPaper(gray)) return gray;
  const inks = HUES.map((hue) => ({ hue, marks: colouredMarks({ across, counts: counts[hue] }, hue) }));
  if (inks.every(({ marks }) => marks.length === 0)) return gray;
  return { ...gray, marks: takeOutMarks(gray, picture, inks) };
}
