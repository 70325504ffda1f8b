import type { PDFiumLibrary } from '@hyzyla/pdfium';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import type { DecodedImage } from './decode-image.ts';

/** PDF measures in 1/72 inch; 200 dots an inch is what a scan of a sheet has. */
const SCALE = 200 / 72;

let library: Promise<PDFiumLibrary> | undefined;

/** Renders the first page in gray. The original's size is that of the page at 200 dots an inch. */
export async function decodePdf(
  bytes: Uint8Array,
  limits: { readonly maxPixels: number; readonly workingSide: number },
): Promise<DecodedImage> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  library ??= PDFiumLibrary.init();
  const pdfium = await library;
  let document: Awaited<ReturnType<PDFiumLibrary['loadDocument']>> | undefined;
  try {
    document = await pdfium.loadDocument(bytes);
    const pageCount = document.getPageCount();
    const page = document.getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const source = { width: Math.round(originalWidth * SCALE), height: Math.round(originalHeight * SCALE) };
    if (!(source.width >= 1 && source.height >= 1)) throw new Error('The first page has no size');
    if (source.width * source.height > limits.maxPixels)
      throw new ImageRefused(
        'image_too_large',
        `The first page measures ${source.width} × ${source.height} pixels at 200 dots an inch; scale it down.`,
      );
    const scale = SCALE * Math.min(1, limits.workingSide / Math.max(source.width, source.height));
    const image = await page.render({ scale, render: 'bitmap', colorSpace: 'Gray' });
    return { raster: { width: image.width, height: image.height, pixels: image.data }, source, pageCount };
  } catch (error) {
    if (error instanceof ImageRefused) throw error;
    throw new ImageRefused(
      'unreadable_image',
      'The PDF is damaged, empty or protected by a password. Send it unprotected, or as an image.',
      { cause: error },
    );
  } finally {
    document?.destroy();
  }
}
