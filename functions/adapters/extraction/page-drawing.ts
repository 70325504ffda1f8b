import type { Sharp } from 'sharp';
import type { Size } from '../../extraction/domain/reading/geometry.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import { BoundedThreads, serveThread, type ThreadLimits } from '../threads/bounded-threads.ts';

/** A page that was read before is drawn in a second or two. */
const LIMITS: ThreadLimits = { seconds: 20, heapMb: 512 };
const NAME = 'tripod-page-drawing';
const OPTIONS = { module: import.meta.url, name: NAME, threads: 2, threadsPerTenant: 1, areKept: false } as const;
const JPEG_QUALITY = 75;

interface Job {
  readonly bytes: Uint8Array;
  /** From 1. */
  readonly page: number;
  /** Absent: the page as it was read. */
  readonly thumbnail?: Thumbnail;
}

export interface Thumbnail {
  /** Of the square that it fits into, in pixels. */
  readonly side: number;
  /** As in `geometry`: what turns the stored picture upright, counterclockwise. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly mirrored: boolean;
}

const threads = new BoundedThreads<Job, Uint8Array>({ ...OPTIONS, ...LIMITS });

/**
 * A page of a PDF or TIFF as a JPEG with the proportions of `geometry.source`, drawn in a thread. @param page from 1.
 * @throws ThreadStopped, TooBusy
 */
export function drawnPage(bytes: Uint8Array, page: number, caller: JobCaller): Promise<Uint8Array> {
  return threads.run({ bytes, page }, caller);
}

/** A page of any readable file as a small, upright JPEG, drawn in a thread. @param page from 1. @throws ThreadStopped, TooBusy */
export function thumbnailOf(
  bytes: Uint8Array,
  page: number,
  thumbnail: Thumbnail,
  caller: JobCaller,
): Promise<Uint8Array> {
  return threads.run({ bytes, page, thumbnail }, caller);
}

serveThread<Job>(NAME, async ({ bytes, page, thumbnail }): Promise<Uint8Array> => {
  const { workingScale } = await import('../codecs/decode-image.ts');
  if (thumbnail === undefined) return jpegOf(await scaled(bytes, page, workingScale));
  const { side, rotation, mirrored } = thumbnail;
  const small = await scaled(bytes, page, ({ width, height }) => Math.min(1, side / Math.max(width, height)));
  // sharp mirrors before it turns, regardless of the order of these calls.
  return jpegOf(small.flop(mirrored).rotate((360 - rotation) % 360));
});

const jpegOf = (image: Sharp) => image.jpeg({ quality: JPEG_QUALITY }).toBuffer();

const pixels = (length: number) => Math.max(1, Math.round(length));

/** The stored picture of a page, scaled. @param scaleOf the factor for a size in pixels, at most 1. */
async function scaled(bytes: Uint8Array, page: number, scaleOf: (size: Size) => number): Promise<Sharp> {
  const [{ default: sharp }, { decodeBmp }, { decodePdf }, { sniffImageType }] = await Promise.all([
    import('sharp'),
    import('../codecs/decode-bmp.ts'),
    import('../codecs/decode-pdf.ts'),
    import('../codecs/sniff-image-type.ts'),
  ]);
  const gray = ({ width, height, pixels: gray }: Raster) => sharp(gray, { raw: { width, height, channels: 1 } });
  const resized = (image: Sharp, size: Size) =>
    image.resize({
      width: pixels(size.width * scaleOf(size)),
      height: pixels(size.height * scaleOf(size)),
      fit: 'fill',
    });
  const type = sniffImageType(bytes);
  if (type === 'pdf') return gray((await decodePdf(bytes, scaleOf, page)).raster);
  if (type === 'bmp') {
    const raster = decodeBmp(bytes, () => undefined);
    return resized(gray(raster), raster);
  }
  const image = sharp(bytes, { page: page - 1 });
  return resized(image.flatten({ background: '#ffffff' }), await image.metadata());
}
