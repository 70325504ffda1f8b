import sharp from 'sharp';
import type { Raster } from '../../extraction/domain/reading/raster.ts';

export interface EncodedPage {
  readonly format: 'png' | 'jpeg';
  readonly bytes: Uint8Array;
}

/** The page as a service takes it: without loss where that fits, scaled down where its sides are too long. */
export async function encodePage(
  { width, height, pixels }: Raster,
  limits: { readonly maxSide: number; readonly maxBytes: number },
): Promise<EncodedPage> {
  const raster = sharp(pixels, { raw: { width, height, channels: 1 } }).resize({
    width: limits.maxSide,
    height: limits.maxSide,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const png = await raster.clone().png().toBuffer();
  if (png.length <= limits.maxBytes) return { format: 'png', bytes: png };
  return { format: 'jpeg', bytes: await raster.jpeg({ quality: 90 }).toBuffer() };
}
