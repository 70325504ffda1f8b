import type { Random } from '../random.ts';
import type { Raster } from './raster.ts';

/** The surface under a page: a plain desk, wood, cloth or a speckled counter. */
export type Ground = 'plain' | 'wood' | 'cloth' | 'speckled';

const COLORS: Readonly<Record<Ground, readonly (readonly [number, number, number])[]>> = {
  plain: [
    [92, 88, 84],
    [58, 60, 66],
    [120, 102, 84],
    [150, 148, 145],
    [70, 82, 74],
  ],
  wood: [
    [142, 102, 66],
    [110, 76, 48],
    [176, 138, 98],
  ],
  cloth: [
    [78, 86, 104],
    [112, 96, 96],
    [60, 76, 66],
  ],
  speckled: [
    [128, 126, 122],
    [96, 96, 100],
  ],
};

/** Brightness of the ground around its colour at every pixel, and the colour. */
export function groundRaster(random: Random, kind: Ground, width: number, height: number): Raster {
  const [red, green, blue] = random.pick(COLORS[kind]);
  const texture = textureOf(random, kind, width, height);
  const pixels = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const factor = texture[i]!;
    pixels[3 * i] = Math.min(255, red * factor);
    pixels[3 * i + 1] = Math.min(255, green * factor);
    pixels[3 * i + 2] = Math.min(255, blue * factor);
  }
  return { width, height, pixels };
}

function textureOf(random: Random, kind: Ground, width: number, height: number): Float32Array {
  const result = new Float32Array(width * height).fill(1);
  if (kind === 'plain') return result;
  if (kind === 'wood') {
    // Long streaks: noise that changes quickly across the grain and slowly along it.
    const streaks = Array.from({ length: height }, () => random.normal());
    for (let y = 1; y < height; y++) streaks[y] = streaks[y - 1]! * 0.86 + streaks[y]! * 0.3;
    const wave = random.between(4, 14);
    const phase = random.between(0, 6);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const grain = streaks[Math.min(height - 1, Math.max(0, Math.round(y + wave * Math.sin(x / 260 + phase))))]!;
        result[y * width + x] = 1 + 0.1 * grain;
      }
    return result;
  }
  if (kind === 'cloth') {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        result[y * width + x] = 1 + 0.1 * Math.sin(x * 1.1) * Math.sin(y * 1.1) + 0.05 * (random.next() - 0.5);
    return result;
  }
  for (let i = 0; i < result.length; i++) if (random.chance(0.12)) result[i] = random.between(0.6, 1.35);
  return result;
}
