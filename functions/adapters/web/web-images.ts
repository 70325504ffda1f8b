import type { IncomingMessage } from 'node:http';
import { ImageFetchFailed, type ImageSource } from '../../extraction/domain/image-source.ts';
import { MAX_IMAGE_BYTES } from '../../extraction/domain/inline-image.ts';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import { reachOf } from './network-address.ts';
import { requestPinned } from './pinned-request.ts';
import { type Resolve, resolveByDns } from './resolve.ts';

/** Uploads of our own that a workspace names by their address. */
export interface OwnUploads {
  /** The bytes of an upload of this workspace; null when the address is no such upload. @throws as ImageSource.fetch */
  read(url: URL, workspaceId: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | null>;
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

const MAX_REDIRECTS = 3;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

/**
 * Reads images from addresses that callers send. Only the public internet can be reached: every name is resolved once, all
 * its addresses are judged, and the connection goes to exactly these, so that a name that changes its mind gains nothing.
 * What a redirect names is judged in the same way.
 */
export class WebImages implements ImageSource {
  readonly #allowLoopback: boolean;
  readonly #uploads: OwnUploads | undefined;
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;

  constructor(options: WebImagesOptions) {
    this.#allowLoopback = options.allowLoopback;
    this.#uploads = options.uploads;
    this.#resolve = options.resolve ?? resolveByDns;
    this.#timeoutMs = options.timeoutMs ?? 15_000;
    this.#maxBytes = options.maxBytes ?? MAX_IMAGE_BYTES;
  }

  async fetch(address: string, workspaceId: string): Promise<Uint8Array> {
    const url = parse(address);
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const upload = await this.#uploads?.read(url, workspaceId, this.#maxBytes, signal);
    if (upload) return upload;
    try {
      return await this.#follow(url, signal);
    } catch (error) {
      if (error instanceof ImageFetchFailed || error instanceof ImageRefused) throw error;
      if (signal.aborted)
        throw new ImageFetchFailed(
          `imageUrl was not read to its end within ${this.#timeoutMs / 1000} seconds. Send a smaller image or use a faster host.`,
        );
      throw new ImageFetchFailed(`imageUrl could not be read: ${reasonOf(error)}.`, { cause: error });
    }
  }

  async #follow(first: URL, signal: AbortSignal): Promise<Uint8Array> {
    let url = first;
    // A public page must not lead the local service to this machine's own ports.
    let allowLoopback = this.#allowLoopback;
    for (let redirects = 0; ; redirects++) {
      const addresses = await this.#judge(url, allowLoopback, signal);
      const response = await requestPinned(url, addresses, signal);
      try {
        if (!REDIRECTS.includes(response.statusCode)) return await this.#readBody(response);
        if (redirects === MAX_REDIRECTS)
          throw new ImageFetchFailed(
            `imageUrl was redirected more than ${MAX_REDIRECTS} times. Send the final address.`,
          );
        url = parse(response.headers.location ?? '', url);
        allowLoopback &&= addresses.every((address) => reachOf(address) === 'loopback');
      } finally {
        response.destroy();
      }
    }
  }

  /** The addresses that may be connected to. @throws ImageFetchFailed when there is any that may not. */
  async #judge(url: URL, allowLoopback: boolean, signal: AbortSignal): Promise<readonly string[]> {
    // A presigned address is secret; a name and password would be one more, and nobody needs them here.
    if (url.username !== '' || url.password !== '')
      throw new ImageFetchFailed('imageUrl holds a user name or password. Use a presigned address instead.');
    if (url.protocol !== 'https:' && !(allowLoopback && url.protocol === 'http:'))
      throw new ImageFetchFailed('imageUrl, and wherever it redirects to, must start with https://.');
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const addresses = await this.#resolve(host, signal);
    const reaches = new Set(addresses.map(reachOf));
    if (addresses.length > 0 && allowLoopback && reaches.size === 1 && reaches.has('loopback')) return addresses;
    // What it resolves to stays with us: the answer must not draw a map of any network.
    if (addresses.length === 0 || reaches.size !== 1 || !reaches.has('public') || url.protocol !== 'https:')
      throw new ImageFetchFailed(
        'imageUrl, or where it redirects to, is not on the public internet. Send an https address that anybody can reach, or upload the image with POST /api/v1/uploads.',
      );
    // Below 1024 live mail, shells and name servers, which are not to be knocked at from here.
    if (port !== 443 && port < 1024)
      throw new ImageFetchFailed(`imageUrl names port ${port}; use 443 or one above 1023.`);
    return addresses;
  }

  async #readBody(response: IncomingMessage): Promise<Uint8Array> {
    const { statusCode, headers } = response;
    if (statusCode !== 200)
      throw new ImageFetchFailed(
        `imageUrl answered with status ${statusCode} instead of 200. Is it still valid, and readable without a login?`,
      );
    // Unpacking is what decompression bombs wait for; an image is compressed already.
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity')
      throw new ImageFetchFailed(
        'imageUrl answered with a content-encoding, which was not asked for. Serve the image as it is.',
      );
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) throw tooLarge(this.#maxBytes);
    const chunks: Buffer[] = [];
    let received = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > this.#maxBytes) throw tooLarge(this.#maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

function parse(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null)
    throw new ImageFetchFailed(
      base ? 'imageUrl was redirected to something that is no address.' : 'imageUrl is no valid address.',
    );
  return url;
}

export function tooLarge(maxBytes: number): ImageRefused {
  return new ImageRefused(
    'image_too_large',
    `The image behind imageUrl has more than ${maxBytes / 1024 / 1024} MB. Scale it down or save it as JPEG.`,
  );
}

/** Says what a caller can act on, and no address. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'its host name is not known';
  if (code === 'EAI_AGAIN') return 'its host name could not be looked up';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'its TLS certificate is not valid';
  if (code.startsWith('HPE_')) return 'its host does not speak HTTP properly';
  if (code === 'ECONNRESET') return 'its host broke off the connection';
  return 'no connection to its host came about';
}
