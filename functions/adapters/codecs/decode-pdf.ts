import type { PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { AS_STORED, type DecodedImage } from '../../extraction/domain/reading/decoded-image.ts';
import { ImageRefused, pageMissing } from '../../extraction/domain/reading/image-refused.ts';
import { instantiatePdfium, MAX_PDFIUM_BYTES, type PdfiumInstance } from './pdfium.ts';

/** PDF measures in 1/72 inch; 200 dots an inch is what a scan of a sheet has. */
const SCALE = 200 / 72;
/** Memory of WebAssembly never shrinks: an instance that has grown beyond this is not kept for the next document. */
const MAX_KEPT_BYTES = 192 * 2 ** 20;

const TOO_MUCH_MEMORY = `Drawing the PDF takes more than ${MAX_PDFIUM_BYTES / 2 ** 20} MB of memory. Send it as an image.`;
const DAMAGED = 'The PDF is damaged, empty or protected by a password. Send it unprotected, or as an image.';

let current: Promise<PdfiumInstance> | null = null;

/**
 * Renders a page in gray at 200 dots per inch, or fewer if it would exceed what `scaleFor` allows: some scanners write a dot as a
 * whole 1/72 inch. The rendered page counts as the original. A document can abort PDFium itself, by its memory use or a fault in the
 * library. Such an instance is never used again: the next document gets a new one, and only the document at fault is refused.
 * @param scaleFor the factor by which an image of this size is scaled down, at most 1. @param page from 1; undefined: the first.
 */
export async function decodePdf(
  bytes: Uint8Array,
  scaleFor: (size: { width: number; height: number }) => number,
  page?: number,
): Promise<DecodedImage> {
  current ??= instantiatePdfium();
  const made = current;
  let instance: PdfiumInstance;
  try {
    instance = await made;
  } catch (error) {
    // That PDFium cannot be loaded says nothing of the file, and may pass.
    forget(made);
    throw error;
  }
  try {
    return await renderOne(instance.library, bytes, scaleFor, page);
  } catch (error) {
    if (error instanceof ImageRefused) throw error;
    if (!isOfTheFile(error)) forget(made);
    throw new ImageRefused('unreadable_image', instance.exhausted() ? TOO_MUCH_MEMORY : DAMAGED, { cause: error });
  } finally {
    if (instance.exhausted() || instance.bytes() > MAX_KEPT_BYTES) forget(made);
  }
}

async function renderOne(
  library: PDFiumLibrary,
  bytes: Uint8Array,
  scaleFor: (size: { width: number; height: number }) => number,
  page: number | undefined,
): Promise<DecodedImage> {
  const document = await library.loadDocument(bytes);
  try {
    if (page === undefined) return await renderPage(document, 0, scaleFor);
    if (page > document.getPageCount()) throw pageMissing(page, document.getPageCount());
    return { ...(await renderPage(document, page - 1, scaleFor)), pageCount: 1 };
  } finally {
    document.destroy();
  }
}

async function renderPage(
  document: PDFiumDocument,
  index: number,
  scaleFor: (size: { width: number; height: number }) => number,
): Promise<DecodedImage> {
  const page = document.getPage(index);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = SCALE * scaleFor({ width: originalWidth * SCALE, height: originalHeight * SCALE });
  if (!(Math.min(originalWidth, originalHeight) * scale >= 1)) throw new Error(`Page ${index + 1} has no size`);
  const { width, height, data } = await page.render({ scale, render: 'bitmap', colorSpace: 'Gray' });
  const pageCount = document.getPageCount();
  return { raster: { width, height, pixels: data }, source: { width, height }, orientation: AS_STORED, pageCount };
}

/**
 * Pages of a document, one after the other, each rendered when it is asked for. For a process that reads no other document.
 * @throws ImageRefused
 */
export async function* pdfPictures(
  bytes: Uint8Array,
  pages: readonly number[],
  scaleFor: (size: { width: number; height: number }) => number,
): AsyncGenerator<DecodedImage> {
  const { library, exhausted } = await instantiatePdfium();
  try {
    const document = await library.loadDocument(bytes);
    // Only the content of a page counts.
    for (const index of pages) yield { ...(await renderPage(document, index, scaleFor)), pageCount: 1 };
  } catch (error) {
    throw new ImageRefused('unreadable_image', exhausted() ? TOO_MUCH_MEMORY : DAMAGED, { cause: error });
  }
}

/** A document that breaks PDFium raises an engine error; a document that PDFium rejects raises an Error. */
function isOfTheFile(error: unknown): boolean {
  return error instanceof Error && !(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError);
}

function forget(made: Promise<PdfiumInstance>): void {
  if (current === made) current = null;
}
