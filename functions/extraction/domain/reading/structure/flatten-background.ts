import type { Raster } from '../raster.ts';

/**
 * Evens out shadows, zebra stripes and gray fills: every pixel is divided by the paper around it, so that paper becomes
 * white wherever it is. The paper is found by a gray closing, which removes what is darker and thinner than `reach` pixels.
 */
export function flattenBackground(page: Raster, reach: number): Raster {
  const { width, height } = page;
  const paper = closing(page, reach);
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) {
    const ground = Math.max(40, paper[i]!);
    pixels[i] = Math.min(255, (page.pixels[i]! * 255) / ground);
  }
  return { width, height, pixels };
}

function closing({ width, height, pixels }: Raster, reach: number): Uint8Array {
  const radius = reach >> 1;
  const dilated = filterRows(filterColumns(pixels, width, height, radius, Math.max), width, height, radius, Math.max);
  return filterRows(filterColumns(dilated, width, height, radius, Math.min), width, height, radius, Math.min);
}

type Extreme = (a: number, b: number) => number;

/** Running extreme over a window of 2·radius + 1, by van Herk's blocks: three comparisons a pixel whatever the radius. */
function filterRows(source: Uint8Array, width: number, height: number, radius: number, extreme: Extreme): Uint8Array {
  const out = new Uint8Array(source.length);
  const line = new Uint8Array(width);
  const buffers = makeBuffers(width, radius);
  for (let y = 0; y < height; y++) {
    runningExtreme(source.subarray(y * width, (y + 1) * width), line, radius, extreme, buffers);
    out.set(line, y * width);
  }
  return out;
}

function filterColumns(
  source: Uint8Array,
  width: number,
  height: number,
  radius: number,
  extreme: Extreme,
): Uint8Array {
  const out = new Uint8Array(source.length);
  const column = new Uint8Array(height);
  const line = new Uint8Array(height);
  const buffers = makeBuffers(height, radius);
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) column[y] = source[y * width + x]!;
    runningExtreme(column, line, radius, extreme, buffers);
    for (let y = 0; y < height; y++) out[y * width + x] = line[y]!;
  }
  return out;
}

function makeBuffers(length: number, radius: number): { ahead: Uint8Array; behind: Uint8Array; padded: Uint8Array } {
  const size = length + 2 * radius;
  return { ahead: new Uint8Array(size), behind: new Uint8Array(size), padded: new Uint8Array(size) };
}

function runningExtreme(
  source: Uint8Array,
  out: Uint8Array,
  radius: number,
  extreme: Extreme,
  { ahead, behind, padded }: { ahead: Uint8Array; behind: Uint8Array; padded: Uint8Array },
): void {
  const window = 2 * radius + 1;
  const size = source.length + 2 * radius;
  padded.fill(source[0]!, 0, radius);
  padded.set(source, radius);
  padded.fill(source[source.length - 1]!, radius + source.length);
  for (let start = 0; start < size; start += window) {
    const end = Math.min(size, start + window);
    ahead[start] = padded[start]!;
    for (let i = start + 1; i < end; i++) ahead[i] = extreme(ahead[i - 1]!, padded[i]!);
    behind[end - 1] = padded[end - 1]!;
    for (let i = end - 2; i >= start; i--) behind[i] = extreme(behind[i + 1]!, padded[i]!);
  }
  for (let i = 0; i < source.length; i++) out[i] = extreme(behind[i]!, ahead[i + window - 1]!);
}
