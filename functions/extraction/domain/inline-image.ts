import { ExtractRefused } from './extract-refused.ts';
import { ImageRefused } from './reading/image-refused.ts';

/** Of a decoded image, however it came. */
export const MAX_IMAGE_BYTES = 18 * 1024 * 1024;

const MAX_BASE64_LENGTH = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

/** Longer than the head of any data: URL; the rest of the text is not searched. */
const MAX_DATA_HEAD_LENGTH = 256;

/**
 * The bytes of an image that was sent as base64, bare or in a data: URL. White space is allowed, since many tools break
 * lines; anything else that is not base64 is refused, rather than read as a damaged image.
 * The media type of a data: URL is ignored: the content decides.
 * @throws ExtractRefused, ImageRefused('image_too_large')
 */
export function decodeInlineImage(text: string): Uint8Array {
  const sent = withoutDataHead(text);
  // To look for white space takes longer than to decode.
  return decoded(sent) ?? decodedWithoutSpace(sent.replace(/\s+/g, ''));
}

function decodedWithoutSpace(base64: string): Uint8Array {
  if (base64 === '') throw notBase64('image is empty.');
  if (base64.length > MAX_BASE64_LENGTH)
    throw new ImageRefused(
      'image_too_large',
      `The image has more than ${MAX_IMAGE_BYTES / 1024 / 1024} MB. Send a smaller one.`,
    );
  const bytes = decoded(base64);
  if (bytes === null)
    throw notBase64('image is not base64. Send the bytes of the picture in standard base64, or a data: URL.');
  return bytes;
}

/** Null unless the text is base64. Node skips signs that it cannot decode, and returns fewer bytes then; it also takes base64url. */
function decoded(base64: string): Uint8Array | null {
  if (base64 === '' || base64.length > MAX_BASE64_LENGTH || base64.includes('-') || base64.includes('_')) return null;
  const length = base64.length - (/={1,2}$/.exec(base64.slice(-2))?.[0].length ?? 0);
  const bytes = Buffer.from(base64, 'base64');
  if (length === 0 || length % 4 === 1 || bytes.length !== Math.floor((length * 3) / 4)) return null;
  // The unused bits of the last sign are 0.
  const last = base64.slice(length - (length % 4 || 4), length);
  return bytes
    .subarray(-Math.floor((last.length * 3) / 4))
    .toString('base64')
    .startsWith(last)
    ? bytes
    : null;
}

function withoutDataHead(text: string): string {
  if (!/^data:/i.test(text)) return text;
  const head = text.slice(0, MAX_DATA_HEAD_LENGTH);
  const comma = head.indexOf(',');
  if (comma < 0 || !/;base64$/i.test(head.slice(0, comma)))
    throw notBase64('image is a data: URL without base64 content, like data:image/png;base64,....');
  return text.slice(comma + 1);
}

function notBase64(message: string): ExtractRefused {
  return new ExtractRefused('invalid_request', message, { fields: { image: message } });
}
