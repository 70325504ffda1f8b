import type { PDFiumLibrary } from '@hyzyla/pdfium';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import type { DecodedImage } from './decode-image.ts';

/** PDF measures in 1/72 inch; 200 dots an inch is what a scan of a sheet has. */
const SCALE = 200 / 72;

const pdfium = memoizeAsync(async () => (await import('@hyzyla/pdfium')).PDFiumLibrary.init());

/**
 * Renders the first page in gray at 200 dots an inch, or fewer where it would be larger than `scaleFor` allows: some
 * scanners write a dot as a whole 1/72 inch. What is rendered counts as the original.
 * @param scaleFor how far a picture of this size is to be scaled down, at most 1.
 */
export async function decodePdf(
  bytes: Uint8Array,
  scaleFor: (size: { width: number; height: number }) => number,
): Promise<DecodedImage> {
  const library = await pdfium();
  let document: Awaited<ReturnType<PDFiumLibrary['loadDocument']>> | undefined;
  try {
    document = await library.loadDocument(bytes);
    const pageCount = document.getPageCount();
    const page = document.getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = SCALE * scaleFor({ width: originalWidth * SCALE, height: originalHeight * SCALE });
    if (!(Math.min(originalWidth, originalHeight) * scale >= 1)) throw new Error('The first page has no size');
    const { width, height, data } = await page.render({ scale, render: 'bitmap', colorSpace: 'Gray' });
    return { raster: { width, height, pixels: data }, source: { width, height }, pageCount };
  } catch (error) {
    throw new ImageRefused(
      'unreadable_image',
      'The PDF is damaged, empty or protected by a password. Send it unprotected, or as an image.',
      { cause: error },
    );
  } finally {
    document?.destroy();
  }
}
