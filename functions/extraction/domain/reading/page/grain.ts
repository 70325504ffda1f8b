import type { Raster } from '../raster.ts';

/** Gray levels between neighbours that a sensor or a coder leaves; letters and rules make larger steps. */
const MAX_GRAIN = 6;
/** Share of such neighbours; pictures of programs' windows stay below 0.14, also as JPEG, printed paper above 0.2. */
const MIN_PAPER_GRAIN = 0.18;

/** Whether the picture is of paper, photographed or scanned: a program draws its grounds without grain. */
export function isPaper({ pixels }: Raster): boolean {
  let grains = 0;
  for (let i = 1; i < pixels.length; i++) {
    const step = Math.abs(pixels[i]! - pixels[i - 1]!);
    if (step > 0 && step <= MAX_GRAIN) grains++;
  }
  return grains > MIN_PAPER_GRAIN * pixels.length;
}
