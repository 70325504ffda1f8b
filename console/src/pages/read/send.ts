import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';

export const MAX_IMAGES = 100;
export const MAX_IMAGE_BYTES = 18 * 1024 * 1024;
export const PRICE_KRW = 200;

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/tiff', 'image/bmp', 'application/pdf'] as const;
export const ACCEPTED = [...TYPES, '.jpg', '.jpeg', '.png', '.webp', '.tif', '.tiff', '.bmp', '.pdf'].join(',');

/** The reason why a file is not sent; null if it is. */
export function faultOf({ size, type, name }: File): 'tooLarge' | 'wrongType' | null {
  if (size > MAX_IMAGE_BYTES) return 'tooLarge';
  return typeOf(type, name) === undefined ? 'wrongType' : null;
}

function typeOf(type: string, name: string): (typeof TYPES)[number] | undefined {
  const known = TYPES.find((each) => each === type);
  // Some systems know no type for these.
  if (known !== undefined || type !== '') return known;
  return /\.tiff?$/i.test(name) ? 'image/tiff' : /\.bmp$/i.test(name) ? 'image/bmp' : undefined;
}

/** Sends a picture to the place that the service names. @returns the address to extract it by */
export async function upload(file: File): Promise<string> {
  const contentType = typeOf(file.type, file.name) ?? 'image/png';
  const { uploadUrl, imageUrl } = await dataOf(
    api.POST('/api/v1/uploads', { body: { contentType, contentLength: file.size } }),
  );
  let response: Response;
  try {
    response = await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': contentType }, body: file });
  } catch {
    throw new Problem(0, 'offline', '');
  }
  if (!response.ok) throw new Problem(response.status, 'upload_failed', file.name);
  return imageUrl;
}

/** A file that was uploaded. */
export interface NamedImage {
  readonly imageUrl: string;
  readonly fileName: string;
}

const MAX_NAME_LENGTH = 255;

/** Times that a page is sent again by itself while all readers are busy. */
const MAX_WAITS = 5;
const BUSY = 503;

/**
 * One page, read at once. While all readers are busy it waits as long as the service says, and asks again.
 * @param key so that a repetition after a lost connection is not charged again
 */
export async function extract({ imageUrl, fileName }: NamedImage, key: string) {
  for (let waits = 0; ; waits++) {
    try {
      return await dataOf(
        api.POST('/api/v1/edi-extract-lite/extract', {
          body: { imageUrl, fileName: fileName.slice(0, MAX_NAME_LENGTH) } as never,
          params: { header: { 'idempotency-key': key } },
        }),
      );
    } catch (error) {
      const isBusy = error instanceof Problem && error.status === BUSY && error.retryAfterSeconds !== null;
      if (!isBusy || waits === MAX_WAITS) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterSeconds! * 1000));
    }
  }
}

export function sendBatch(images: readonly NamedImage[], key: string) {
  return dataOf(
    api.POST('/api/v1/edi-extract-lite/extract-batch-async', {
      body: {
        imageUrls: images.map(({ imageUrl }) => imageUrl),
        labels: images.map(({ fileName }) => ({ fileName: fileName.slice(0, MAX_NAME_LENGTH) })),
      } as never,
      params: { header: { 'idempotency-key': key } },
    }),
  );
}
