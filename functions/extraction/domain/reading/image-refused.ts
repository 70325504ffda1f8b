/** Why bytes were not accepted as a page image. */
export type ImageRefusal = 'unsupported_media_type' | 'image_too_large' | 'unreadable_image' | 'page_missing';

/** Thrown by a TableReader before any reading is done; nothing is ever charged for it. */
export class ImageRefused extends Error {
  readonly refusal: ImageRefusal;

  constructor(refusal: ImageRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImageRefused';
    this.refusal = refusal;
  }
}

/** A document that ends before the page that was asked for. */
export function pageMissing(page: number, pageCount: number): ImageRefused {
  const has = pageCount === 1 ? 'one page' : `${pageCount} pages`;
  return new ImageRefused('page_missing', `page is ${page}, and the file has ${has}. Send a number within it.`);
}
