import type { Raster } from '../../raster.ts';
import type { Extent } from '../tables/grid.ts';
import { closing } from './closing.ts';
import { findComponents } from './components.ts';
import { lightestBlocks } from './lightest-blocks.ts';

/** In reaches of the paper's light: a shadow is longer than this, print and its strokes are shorter. */
const LENGTH = 4;
/** Levels a pixel of the page that a shadow darkens at most on its way across; the edges of print, rules and bars are harder. */
const SOFT = 16;
/** Part of the page that a fold crosses at least, from one side to the other. */
const ACROSS = 0.8;
/** A fold is darker than this share of the paper around, all along. */
const DEEP = 0.75;
/** Paper is in such a shadow where it is darker than this share of the paper around. */
const DARKER = 0.95;

/**
 * The page without the shadows of folds: soft bands along its rows or columns that are as thin as print, which they would be taken for. The same
 * page where it has none.
 * @param reach in pixels: thicker shadows count as paper anyway.
 */
export function withoutNarrowShadows(page: Raster, reach: number): Raster {
  const factor = Math.max(1, Math.min(4, Math.floor(reach / 8)));
  const lightest = lightestBlocks(page, factor);
  const [radius, along] = [reach / factor / 2, (LENGTH * reach) / factor / 2].map((size) =>
    Math.max(1, Math.round(size)),
  );
  const paper = closing(lightest, radius!, radius!).pixels;
  const rows = softened(closing(lightest, along!, 0), 'down', SOFT * factor);
  const columns = softened(closing(lightest, 0, along!), 'across', SOFT * factor);
  const { width, height } = lightest;
  const shaded = paper.map((level, at) => {
    const shade = Math.min(rows[at]!, columns[at]!);
    return shade < DARKER * level ? Math.max(1, shade) : 0;
  });
  const isDeep = paper.map((level, at) => Number(shaded[at]! > 0 && shaded[at]! < DEEP * level));
  const shadow = acrossPage({ width, height, pixels: shaded }, isDeep);
  return shadow === null ? page : lightened(page, { paper, shadow, width, factor });
}

/** The shadows that reach across the page, as folds do; null: none. */
function acrossPage({ width, height, pixels }: Raster, isDeep: Uint8Array): Uint8Array | null {
  const folds = findComponents({ width, height, bits: isDeep }).filter(
    ({ left, right, top, bottom }) => right - left >= ACROSS * width || bottom - top >= ACROSS * height,
  );
  if (folds.length === 0) return null;
  const kept = new Uint8Array(pixels.length);
  for (const { left, right, top, bottom } of folds.map((fold) => grown(fold, width, height)))
    for (let y = top; y < bottom; y++) kept.set(pixels.subarray(y * width + left, y * width + right), y * width + left);
  return kept;
}

/** With the paler shadow around it. */
function grown({ left, right, top, bottom }: Extent, width: number, height: number): Extent {
  const by = right - left > bottom - top ? bottom - top : right - left;
  return {
    left: Math.max(0, left - by),
    right: Math.min(width, right + by),
    top: Math.max(0, top - by),
    bottom: Math.min(height, bottom + by),
  };
}

interface Shadows {
  /** In blocks of `factor` pixels, `width` of them a row; `shadow` 0: none. */
  readonly paper: Uint8Array;
  readonly shadow: Uint8Array;
  readonly width: number;
  readonly factor: number;
}

function lightened(page: Raster, { paper, shadow, width, factor }: Shadows): Raster {
  const pixels = page.pixels.slice();
  for (let at = 0; at < shadow.length; at++) {
    if (shadow[at] === 0) continue;
    const gain = paper[at]! / shadow[at]!;
    const [left, top] = [factor * (at % width), factor * Math.floor(at / width)];
    for (let y = top; y < Math.min(page.height, top + factor); y++)
      for (let i = y * page.width + left; i < y * page.width + Math.min(page.width, left + factor); i++)
        pixels[i] = Math.min(255, Math.round(pixels[i]! * gain));
  }
  return { ...page, pixels };
}

/** The darkest picture that is nowhere darker than this one, and whose levels fall by no more than `step` from pixel to pixel; in place. */
function softened({ width, height, pixels }: Raster, direction: 'across' | 'down', step: number): Uint8Array {
  const before = direction === 'across' ? 1 : width;
  const isFirst = (at: number) => (direction === 'across' ? at % width === 0 : at < width);
  for (let at = 0; at < pixels.length; at++)
    if (!isFirst(at)) pixels[at] = Math.max(pixels[at]!, pixels[at - before]! - step);
  for (let at = width * height - 1; at >= 0; at--)
    if (!isFirst(at)) pixels[at - before] = Math.max(pixels[at - before]!, pixels[at]! - step);
  return pixels;
}
