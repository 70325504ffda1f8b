import type { Random } from '../random.ts';
import type { Raster } from './raster.ts';

/** Wear of paper before it is photographed: it curls, is folded, and lets its back shine through. */

/** A page that does not lie flat: its lines bow, most in the middle, and its folds catch the light. */
export function curl(random: Random, page: Raster, strength: number): Raster {
  const { width, height } = page;
  const bowY = strength * height * random.between(0.004, 0.016) * random.pick([-1, 1]);
  const waveY = strength * height * random.between(0, 0.005);
  const phase = random.between(0, 2 * Math.PI);
  const bowX = strength * width * random.between(0, 0.008) * random.pick([-1, 1]);
  const shiftY = Float64Array.from({ length: width }, (_, x) => {
    const u = x / width;
    return bowY * (4 * u * (1 - u)) + waveY * Math.sin(2 * Math.PI * u * 1.4 + phase);
  });
  const shiftX = Float64Array.from({ length: height }, (_, y) => bowX * Math.sin((Math.PI * y) / height));
  const light = random.between(-0.1, 0.1) * strength;
  const pixels = new Uint8Array(page.pixels.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      // The bow is strongest at the top edge or in the middle, never the same all the way down.
      const v = Math.min(height - 1.001, Math.max(0, y + shiftY[x]! * (1 - (0.5 * y) / height)));
      const u = Math.min(width - 1.001, Math.max(0, x + shiftX[y]!));
      const shade = 1 + light * Math.sin((Math.PI * 2 * x) / width + phase);
      sample(page, u, v, shade, pixels, (y * width + x) * 3);
    }
  return { width, height, pixels };
}

/** Creases where a letter was folded in two or three: a dark line with a light side. */
export function crease(random: Random, page: Raster): Raster {
  const pixels = Uint8Array.from(page.pixels);
  const { width, height } = page;
  const across = random.chance(0.75);
  const length = across ? height : width;
  const count = random.int(1, 3);
  for (let i = 1; i <= count; i++) {
    const at = (length * i) / (count + 1) + length * random.between(-0.03, 0.03);
    const slope = random.between(-0.01, 0.01);
    const reach = length * random.between(0.004, 0.02);
    const depth = random.between(0.05, 0.22);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const distance = across ? y - at - slope * x : x - at - slope * y;
        if (Math.abs(distance) > reach * 3) continue;
        const factor =
          1 -
          depth * Math.exp(-((distance / reach) ** 2)) +
          0.4 * depth * Math.exp(-(((distance - reach) / reach) ** 2));
        for (let k = 0; k < 3; k++)
          pixels[(y * width + x) * 3 + k] = Math.min(255, pixels[(y * width + x) * 3 + k]! * factor);
      }
  }
  return { width, height, pixels };
}

/** The other side of thin paper, mirrored and pale. */
export function shineThrough(random: Random, page: Raster, back: Raster): Raster {
  const { width, height } = page;
  const pixels = Uint8Array.from(page.pixels);
  const strength = random.between(0.06, 0.24);
  const offsetX = random.int(-30, 30);
  const offsetY = Math.round(height * random.between(-0.15, 0.15));
  for (let y = 0; y < height; y++) {
    const from = y + offsetY;
    if (from < 0 || from >= back.height) continue;
    for (let x = 0; x < width; x++) {
      const mirrored = width - 1 - x + offsetX;
      if (mirrored < 0 || mirrored >= back.width) continue;
      const at = (y * width + x) * 3;
      const dark = 1 - back.pixels[(from * back.width + mirrored) * 3 + 1]! / 255;
      for (let k = 0; k < 3; k++) pixels[at + k] = pixels[at + k]! * (1 - strength * dark);
    }
  }
  return { width, height, pixels };
}

/** A lamp's reflection that washes out a part of the page. */
export function glare(random: Random, page: Raster): Raster {
  const { width, height } = page;
  const pixels = Uint8Array.from(page.pixels);
  const cx = width * random.between(0.1, 0.9);
  const cy = height * random.between(0.1, 0.9);
  const rx = width * random.between(0.12, 0.35);
  const ry = height * random.between(0.06, 0.25);
  const strength = random.between(0.25, 0.6);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const d = ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2;
      if (d > 4) continue;
      const lift = strength * Math.exp(-d);
      const at = (y * width + x) * 3;
      for (let k = 0; k < 3; k++) pixels[at + k] = pixels[at + k]! + (255 - pixels[at + k]!) * lift;
    }
  return { width, height, pixels };
}

/** A scanning app's processing: paper white, ink black, shadows gone, faint print enhanced. */
export function whiten(random: Random, page: Raster): Raster {
  const white = random.between(205, 240);
  const black = random.between(10, 70);
  const table = Uint8Array.from({ length: 256 }, (_, value) =>
    Math.round(255 * Math.min(1, Math.max(0, (value - black) / (white - black)))),
  );
  return { ...page, pixels: page.pixels.map((value) => table[value]!) };
}

/** Fingertips that hold the page at its edge. */
export function fingers(random: Random, image: Raster): Raster {
  const { width, height } = image;
  const pixels = Uint8Array.from(image.pixels);
  const [red, green, blue] = random.pick([
    [224, 178, 150],
    [200, 150, 120],
    [236, 196, 172],
  ]) as [number, number, number];
  const left = random.chance(0.5);
  const count = random.int(1, 3);
  for (let i = 0; i < count; i++) {
    const cx = left ? 0 : width;
    const cy = height * random.between(0.55, 0.95);
    const rx = width * random.between(0.04, 0.09);
    const ry = width * random.between(0.02, 0.035);
    for (let y = Math.max(0, Math.floor(cy - ry)); y < Math.min(height, cy + ry); y++)
      for (let x = Math.max(0, Math.floor(cx - rx)); x < Math.min(width, cx + rx); x++) {
        const d = ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2;
        if (d > 1) continue;
        const at = (y * width + x) * 3;
        const shade = 1 - 0.35 * d;
        pixels[at] = red * shade;
        pixels[at + 1] = green * shade;
        pixels[at + 2] = blue * shade;
      }
  }
  return { width, height, pixels };
}

function sample(page: Raster, u: number, v: number, shade: number, into: Uint8Array, at: number): void {
  const { width, pixels } = page;
  const column = u | 0;
  const row = v | 0;
  const fx = u - column;
  const fy = v - row;
  const from = (row * width + column) * 3;
  const stride = width * 3;
  for (let k = 0; k < 3; k++) {
    const top = pixels[from + k]! * (1 - fx) + pixels[from + 3 + k]! * fx;
    const bottom = pixels[from + stride + k]! * (1 - fx) + pixels[from + stride + 3 + k]! * fx;
    const value = (top * (1 - fy) + bottom * fy) * shade;
    into[at + k] = value > 255 ? 255 : value;
  }
}
