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
}

const threads = new BoundedThreads<Job, Uint8Array>({ ...OPTIONS, ...LIMITS });

/**
 * A page of a PDF or TIFF as a JPEG with the proportions of `geometry.source`, drawn in a thread. @param page from 1.
 * @throws ThreadStopped, TooBusy
 */
export function drawnPage(bytes: Uint8Array, page: number, caller: JobCaller): Promise<Uint8Array> {
  return threads.run({ bytes, page }, caller);
}

serveThread<Job>(NAME, async ({ bytes, page }): Promise<Uint8Array> => {
  const [{ default: sharp }, { workingScale }, { decodePdf }, { sniffImageType }] = await Promise.all([
    import('sharp'),
    import('../codecs/decode-image.ts'),
    import('../codecs/decode-pdf.ts'),
    import('../codecs/sniff-image-type.ts'),
  ]);
  if (sniffImageType(bytes) === 'pdf') {
    const { width, height, pixels } = (await decodePdf(bytes, workingScale, page)).raster;
    return sharp(pixels, { raw: { width, height, channels: 1 } })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer();
  }
  const image = sharp(bytes, { page: page - 1 });
  const { width, height } = await image.metadata();
  return image
    .flatten({ background: '#ffffff' })
    .resize({ width: Math.max(1, Math.round(width * workingScale({ width, height }))) })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
});
