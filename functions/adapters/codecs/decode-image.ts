import type { Sharp } from 'sharp';
import { MAX_IMAGE_BYTES } from '../../extraction/domain/inline-image.ts';
import { AS_STORED, type DecodedImage, type Orientation } from '../../extraction/domain/reading/decoded-image.ts';
import type { Size } from '../../extraction/domain/reading/geometry.ts';
import { ImageRefused, pageMissing } from '../../extraction/domain/reading/image-refused.ts';
import { grayWithoutMarks } from '../../extraction/domain/reading/page/gray-without-marks.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';
import { decodeBmp } from './decode-bmp.ts';
import { decodePdf } from './decode-pdf.ts';
import { sniffImageType } from './sniff-image-type.ts';

const MAX_IMAGE_PIXELS = 100_000_000;
/** Maximum pixels of the processed picture: more cost time without adding detail of a sheet of paper. */
const WORKING_PIXELS = 7_000_000;
const WORKING_SIDE = 10_000;

/** Meaning of the orientation tag (EXIF 0x0112). */
const ORIENTATIONS: Readonly<Record<number, Orientation>> = {
  2: { mirrored: true, turn: 0 },
  3: { mirrored: false, turn: 180 },
  4: { mirrored: true, turn: 180 },
  5: { mirrored: true, turn: 90 },
  6: { mirrored: false, turn: 270 },
  7: { mirrored: true, turn: 270 },
  8: { mirrored: false, turn: 90 },
};

/**
 * Decodes a page of an untrusted image. The content decides the type, never a name.
 * @throws ImageRefused when it is not a supported type, too large, or damaged.
 */
export async function decodeImage(bytes: Uint8Array, page?: number): Promise<DecodedImage> {
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new ImageRefused(
      'image_too_large',
      `The image has ${bytes.length} bytes; at most ${MAX_IMAGE_BYTES} (18 MB) are read. Scale it down or save it as JPEG.`,
    );
  const type = sniffImageType(bytes);
  if (type === null)
    throw new ImageRefused(
      'unsupported_media_type',
      'The content is not a JPEG, PNG, WebP, TIFF, BMP or PDF. Only these are read; the file name does not matter.',
    );
  if (type === 'pdf') return await decodePdf(bytes, workingScale, page);
  const { default: sharp } = await import('sharp');
  // One page at a time: a cache of decoded pixels or a pool of threads would only hold memory.
  sharp.cache(false);
  sharp.concurrency(1);
  try {
    if (type === 'bmp') {
      requirePage(page, 1);
      const { width, height, pixels } = decodeBmp(bytes, checkPixels);
      const image = sharp(pixels, { raw: { width, height, channels: 1 } });
      const raster = await toGray(image, { width, height });
      return { raster, source: { width, height }, orientation: AS_STORED, pageCount: 1 };
    }
    const pageCount = type === 'tiff' ? ((await sharp(bytes, { limitInputPixels: false }).metadata()).pages ?? 1) : 1;
    requirePage(page, pageCount);
    const index = (page ?? 1) - 1;
    // The header alone: a bomb is refused before anything of it is unpacked.
    const {
      width,
      height,
      orientation: tag = 1,
    } = await sharp(bytes, { page: index, limitInputPixels: false }).metadata();
    checkPixels({ width, height });
    // Damage that leaves part of the picture gray must not pass for an empty table; mere oddities may.
    const image = sharp(bytes, { page: index, failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS });
    const orientation = ORIENTATIONS[tag] ?? AS_STORED;
    const raster = await toGray(image.flop(orientation.mirrored), { width, height });
    return { raster, source: { width, height }, orientation, pageCount: page === undefined ? pageCount : 1 };
  } catch (error) {
    if (error instanceof ImageRefused) throw error;
    throw new ImageRefused(
      'unreadable_image',
      `The ${type.toUpperCase()} image is damaged or cut off and cannot be decoded. Send the complete file.`,
      { cause: error },
    );
  }
}

/** @throws ImageRefused */
function requirePage(page: number | undefined, pageCount: number): void {
  if (page !== undefined && page > pageCount) throw pageMissing(page, pageCount);
}

function checkPixels({ width, height }: Size): void {
  if (width * height > MAX_IMAGE_PIXELS)
    throw new ImageRefused(
      'image_too_large',
      `The image has ${width} × ${height} pixels; at most ${MAX_IMAGE_PIXELS / 1e6} megapixels are read. Scale it down.`,
    );
}

export function workingScale({ width, height }: Size): number {
  return Math.min(1, Math.sqrt(WORKING_PIXELS / (width * height)), WORKING_SIDE / Math.max(width, height));
}

async function toGray(image: Sharp, { width, height }: Size): Promise<Raster> {
  const scale = workingScale({ width, height });
  const side = Math.max(1, Math.round(Math.max(width, height) * scale));
  const { data, info } = await image
    .flatten({ background: '#ffffff' })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width: rasterWidth, height: rasterHeight, channels } = info;
  // A Buffer is a trap for pure code: its slice() shares memory.
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.length);
  if (channels === 3) return grayWithoutMarks({ width: rasterWidth, height: rasterHeight, rgb: bytes });
  const pixels = channels === 1 ? bytes : bytes.filter((_, index) => index % channels === 0);
  return { width: rasterWidth, height: rasterHeight, pixels };
}
