import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';

export const MAX_PAGES = 100;
export const MAX_IMAGE_BYTES = 18 * 1024 * 1024;

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
  const { uploadUrl, imageUrl } = await patiently(() =>
    dataOf(api.POST('/api/v1/uploads', { body: { contentType, contentLength: file.size } })),
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

/** A page whose file was uploaded. */
export interface SentPage {
  readonly imageUrl: string;
  readonly fileName: string;
  /** From 1; null of a file with one page, or with an unknown number of them. */
  readonly page: number | null;
}

const MAX_NAME_LENGTH = 255;

/** Name of a page of a file, for lists and exports: `scan.pdf (2/5)`. */
export function pageName(fileName: string, page: number, pages: number): string {
  const place = pages > 1 ? ` (${page}/${pages})` : '';
  return fileName.slice(0, MAX_NAME_LENGTH - place.length) + place;
}

/** Times that a call is repeated by itself while the service is busy or a limit is reached. */
const MAX_WAITS = 5;
const WAITS = [429, 503];

/** Repeats a call after as long as the service says. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await call();
    } catch (error) {
      const isBusy = error instanceof Problem && WAITS.includes(error.status) && error.retryAfterSeconds !== null;
      // Not where it is hours: a person decides then.
      if (!isBusy || waits === MAX_WAITS || error.retryAfterSeconds! > 60) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterSeconds! * 1000));
    }
  }
}

/**
 * One page, read at once.
 * @param key so that a repetition after a lost connection is not charged again
 */
export function extract({ imageUrl, fileName, page }: SentPage, key: string) {
  return patiently(() =>
    dataOf(
      api.POST('/api/v1/edi-extract-lite/extract', {
        body: { imageUrl, fileName, ...(page !== null && { page }) } as never,
        params: { header: { 'idempotency-key': key } },
      }),
    ),
  );
}

export function sendBatch(pages: readonly SentPage[], key: string) {
  return dataOf(
    api.POST('/api/v1/edi-extract-lite/extract-batch-async', {
      body: {
        imageUrls: pages.map(({ imageUrl }) => imageUrl),
        labels: pages.map(({ fileName }) => ({ fileName })),
        ...(pages.some(({ page }) => page !== null) && { pages: pages.map(({ page }) => page ?? 1) }),
      } as never,
      params: { header: { 'idempotency-key': key } },
    }),
  );
}
