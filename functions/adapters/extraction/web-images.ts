import { type FetchedImage, ImageFetchFailed, type ImageSource } from '../../extraction/domain/image-source.ts';
import { MAX_IMAGE_BYTES } from '../../extraction/domain/inline-image.ts';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import type { Resolve } from '../web/resolve.ts';
import { readBody, SafeFetch } from '../web/safe-fetch.ts';

/** Our own uploads, which a workspace may name by their address. */
export interface OwnUploads {
  /** An upload of this workspace; null when the address is no such upload. @throws as ImageSource.fetch */
  read(url: URL, workspaceId: string, maxBytes: number, signal: AbortSignal): Promise<FetchedImage | null>;
}

export interface WebImagesOptions {
  /** Local mode: addresses of this very machine are let through, over plain http as well. */
  readonly allowLoopback: boolean;
  readonly uploads?: OwnUploads;
  readonly resolve?: Resolve;
  /** For everything together: names, redirects, headers, body. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

const FIELD = 'imageUrl';
const HEADERS = { accept: 'image/*, application/pdf;q=0.9, */*;q=0.1' };

/** Alternatives for a caller of an extraction whose address is refused. */
const ADVICE: Partial<Record<FetchRefused['reason'], string>> = {
  not_public: ' Or upload the image with POST /api/v1/uploads.',
  timeout: ' Send a smaller image or use a faster host.',
};

/** Images at addresses that callers send: their own uploads come from the bucket, all others from the public internet. */
export class WebImages implements ImageSource {
  readonly #web: SafeFetch;
  readonly #uploads: OwnUploads | undefined;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;

  constructor({ allowLoopback, resolve, uploads, timeoutMs = 15_000, maxBytes = MAX_IMAGE_BYTES }: WebImagesOptions) {
    this.#web = new SafeFetch({ field: FIELD, allowLoopback, ...(resolve && { resolve }) });
    this.#uploads = uploads;
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
  }

  async fetch(address: string, workspaceId: string): Promise<FetchedImage> {
    const url = URL.parse(address);
    if (url && this.#uploads) {
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const upload = await this.#uploads.read(url, workspaceId, this.#maxBytes, signal);
      if (upload) return upload;
    }
    try {
      return { bytes: await this.#read(address), uploadKey: null };
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      if (error.reason === 'too_large') throw tooLarge(this.#maxBytes);
      throw new ImageFetchFailed(`${error.message}${ADVICE[error.reason] ?? ''}`, { cause: error });
    }
  }

  async #read(address: string): Promise<Uint8Array> {
    const response = await this.#web.fetch(address, { headers: HEADERS, timeoutMs: this.#timeoutMs });
    if (response.status === 200) return readBody(response, this.#maxBytes, FIELD);
    response.close();
    throw new ImageFetchFailed(
      `${FIELD} answered with status ${response.status} instead of 200. Is it still valid, and readable without a login?`,
    );
  }
}

export function tooLarge(maxBytes: number): ImageRefused {
  return new ImageRefused(
    'image_too_large',
    `The image behind ${FIELD} has more than ${maxBytes / 1024 / 1024} MB. Scale it down or save it as JPEG.`,
  );
}
