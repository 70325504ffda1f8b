import type { Sharp } from 'sharp';
import type { Size } from '../../extraction/domain/reading/geometry.ts';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';
import { decodeBmp } from './decode-bmp.ts';
import { decodePdf } from './decode-pdf.ts';
import { sniffImageType } from './sniff-image-type.ts';

export const MAX_IMAGE_BYTES = 18 * 1024 * 1024;
export const MAX_IMAGE_PIXELS = 100_000_000;
/** Longer side of the picture that is worked on: more pixels than this cost time and tell nothing more. */
const WORKING_SIDE = 3000;

export interface DecodedImage {
  /** Gray, on white paper, at most 3000 pixels long. */
  readonly raster: Raster;
  /** Of the upload as it is stored: a camera's orientation tag is not applied, the page's own text tells what is up. */
  readonly source: Size;
  readonly pageCount: number;
}

/**
 * Decodes the first page of an untrusted image. The content decides the type, never a name.
 * @throws ImageRefused when it is no supported type, too large, or damaged.
 */
export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage> {
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new ImageRefused(
      'image_too_large',
      `The image has ${bytes.length} bytes; at most ${MAX_IMAGE_BYTES} (18 MB) are read. Scale it down or save it as JPEG.`,
    );
  const type = sniffImageType(bytes);
  if (type === null)
    throw new ImageRefused(
      'unsupported_media_type',
      'The content is no JPEG, PNG, WebP, TIFF, BMP or PDF. Only these are read, whatever the file is called.',
    );
  if (type === 'pdf') return await decodePdf(bytes, { maxPixels: MAX_IMAGE_PIXELS, workingSide: WORKING_SIDE });
  const { default: sharp } = await import('sharp');
  // One page at a time: a cache of decoded pixels or a pool of threads would only hold memory.
  sharp.cache(false);
  sharp.concurrency(1);
  try {
    if (type === 'bmp') {
      const { width, height, rgb } = decodeBmp(bytes, MAX_IMAGE_PIXELS);
      return {
        ...(await toGray(sharp(rgb, { raw: { width, height, channels: 3 } }), { width, height })),
        pageCount: 1,
      };
    }
    const options = { failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS } as const;
    const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > MAX_IMAGE_PIXELS) throw tooManyPixels({ width, height });
    return { ...(await toGray(sharp(bytes, options), { width, height })), pageCount: type === 'tiff' ? pages : 1 };
  } catch (error) {
    if (error instanceof ImageRefused) throw error;
    throw new ImageRefused(
      'unreadable_image',
      `The ${type.toUpperCase()} image is damaged or cut off and cannot be decoded. Send the complete file.`,
      { cause: error },
    );
  }
}

export function tooManyPixels({ width, height }: Size): ImageRefused {
  return new ImageRefused(
    'image_too_large',
    `The image has ${width} × ${height} pixels; at most ${MAX_IMAGE_PIXELS / 1e6} megapixels are read. Scale it down.`,
  );
}

async function toGray(image: Sharp, source: Size): Promise<Pick<DecodedImage, 'raster' | 'source'>> {
  const { data, info } = await image
    .flatten({ background: '#ffffff' })
    .resize({ width: WORKING_SIDE, height: WORKING_SIDE, fit: 'inside', withoutEnlargement: true })
    .grayscale()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8Array(info.width * info.height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = data[i * info.channels]!;
  return { raster: { width: info.width, height: info.height, pixels }, source };
}
