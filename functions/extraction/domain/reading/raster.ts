/** 8-bit gray pixels, row by row, without padding; 255 is white. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** By how many levels, 1 at least, taking out a pen's stroke or a seal made each pixel lighter than its ink alone would; absent where none was. */
  readonly marks?: Uint8Array;
}

export function cropRaster(source: Raster, x: number, y: number, width: number, height: number): Raster {
  const left = Math.max(0, Math.min(source.width, Math.round(x)));
  const top = Math.max(0, Math.min(source.height, Math.round(y)));
  const right = Math.max(left, Math.min(source.width, Math.round(x + width)));
  const bottom = Math.max(top, Math.min(source.height, Math.round(y + height)));
  const pixels = new Uint8Array((right - left) * (bottom - top));
  for (let row = top; row < bottom; row++)
    pixels.set(
      source.pixels.subarray(row * source.width + left, row * source.width + right),
      (row - top) * (right - left),
    );
  return { width: right - left, height: bottom - top, pixels };
}
