/** Why bytes were not accepted as a page image. */
export type ImageRefusal = 'unsupported_media_type' | 'image_too_large' | 'unreadable_image';

/** Thrown by a TableReader before any reading is done; nothing is ever charged for it. */
export class ImageRefused extends Error {
  readonly refusal: ImageRefusal;

  constructor(refusal: ImageRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImageRefused';
    this.refusal = refusal;
  }
}
