import { ExtractRefused } from './extract-refused.ts';
import { ImageRefused } from './reading/image-refused.ts';

/** Of a decoded image, however it came. */
export const MAX_IMAGE_BYTES = 18 * 1024 * 1024;

/** Longer than the head of any data: URL; the rest of the text is not searched. */
const MAX_DATA_HEAD_LENGTH = 256;

/**
 * The bytes of an image that was sent as base64, bare or in a data: URL. White space is allowed, since many tools break
 * lines; anything else that is not base64 is refused, rather than read as a damaged image.
 * The media type of a data: URL is ignored: the content decides.
 * @throws ExtractRefused, ImageRefused('image_too_large')
 */
export function decodeInlineImage(text: string): Uint8Array {
  const base64 = withoutDataHead(text).replace(/\s+/g, '');
  if (base64 === '') throw notBase64('image is empty.');
  if (base64.length > Math.ceil(MAX_IMAGE_BYTES / 3) * 4)
    throw new ImageRefused(
      'image_too_large',
      `The image has more than ${MAX_IMAGE_BYTES / 1024 / 1024} MB. Send a smaller one.`,
    );
  const bytes = Buffer.from(base64, 'base64');
  // Node skips what it cannot decode. Encoding again costs less than any careful check of 25 million characters.
  if (unpadded(bytes.toString('base64')) !== unpadded(base64))
    throw notBase64('image is not base64. Send the bytes of the picture in standard base64, or a data: URL.');
  return bytes;
}

function withoutDataHead(text: string): string {
  if (!/^data:/i.test(text)) return text;
  const head = text.slice(0, MAX_DATA_HEAD_LENGTH);
  const comma = head.indexOf(',');
  if (comma < 0 || !/;base64$/i.test(head.slice(0, comma)))
    throw notBase64('image is a data: URL without base64 content, like data:image/png;base64,....');
  return text.slice(comma + 1);
}

function unpadded(base64: string): string {
  return base64.replace(/={1,2}$/, '');
}

function notBase64(message: string): ExtractRefused {
  return new ExtractRefused('invalid_request', message, { fields: { image: message } });
}
