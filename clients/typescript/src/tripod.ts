import { type Client, createClient } from './generated/client/index.js';
import { extractionCreateUpload, extractionExtract, sandboxCreateUpload, sandboxExecute } from './generated/sdk.gen.js';
import type {
  ExtractionCreateUploadRequest,
  ExtractionExtractRequest,
  ExtractionExtractResponse,
  SandboxExecuteRequest,
  SandboxExecuteResponse,
} from './generated/types.gen.js';

export interface TripodOptions {
  /** Address of the service, without a path. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** A call that the service refused or could not answer. `message` names the fault and the remedy. */
export class TripodError extends Error {
  override name = 'TripodError';
  readonly status: number;
  /** The body as the service sent it. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(messageOf(body) ?? `The service answered ${status}.`);
    this.status = status;
    this.body = body;
  }
}

export interface Program extends Omit<SandboxExecuteRequest, 'files'> {
  /** Files that the program finds in its directory, by their relative paths; up to 24 MiB in all. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export interface ProgramResult extends Omit<SandboxExecuteResponse, 'files'> {
  /** Files that the program wrote below `out/`, by paths relative to it. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** Larger files are uploaded: those in a request may have 8 MiB in all. */
const MAX_INLINE_BYTES = 64 * 1024;

export class Tripod {
  /** For every other route: `accountsGetBalance({ client: tripod.client })` of `tripod-client/api`. */
  readonly client: Client;
  readonly #baseUrl: string;

  constructor({ baseUrl, apiKey }: TripodOptions) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.client = createClient({ baseUrl: this.#baseUrl, headers: { 'x-api-key': apiKey } });
  }

  /**
   * Reads the drug table of an image.
   * @param image its bytes, up to about 4 MB, or an https address; `upload` gives one for larger images
   * @throws TripodError
   */
  async extract(
    image: Uint8Array | URL | string,
    options: Omit<ExtractionExtractRequest, 'image' | 'imageUrl'> = {},
  ): Promise<ExtractionExtractResponse> {
    const source =
      image instanceof Uint8Array ? { image: Buffer.from(image).toString('base64') } : { imageUrl: String(image) };
    return dataOf(await extractionExtract({ client: this.client, body: { ...options, ...source } }));
  }

  /** Uploads an image of up to 18 MB. @returns an address for `extract`, valid for 24 hours. @throws TripodError */
  async upload(image: Uint8Array, contentType: ExtractionCreateUploadRequest['contentType']): Promise<string> {
    const body = { contentType, contentLength: image.length };
    const { uploadUrl, imageUrl } = dataOf(await extractionCreateUpload({ client: this.client, body }));
    await put(uploadUrl, image, { 'content-type': contentType });
    return imageUrl;
  }

  /** Base URL for OpenAI's and other clients of chat completions. */
  chatBaseUrl(applicationId: string): string {
    return `${this.#baseUrl}/api/v1/chat/${encodeURIComponent(applicationId)}`;
  }

  /** Runs a program and waits for its end. @throws TripodError, with status 500 after a timeout */
  async runProgram({ files = {}, ...program }: Program): Promise<ProgramResult> {
    const placed = await Promise.all(Object.entries(files).map(([path, content]) => this.#place(path, content)));
    const response = dataOf(await sandboxExecute({ client: this.client, body: { ...program, files: placed } }));
    // A stream is answered only where it was asked for.
    const { files: written = [], ...result } = response as SandboxExecuteResponse;
    const contents = await Promise.all(written.map(async (file) => [file.path, await contentOf(file)] as const));
    return { ...result, files: Object.fromEntries(contents) };
  }

  async #place(path: string, content: string | Uint8Array) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    if (bytes.length <= MAX_INLINE_BYTES) return { path, content_base64: Buffer.from(bytes).toString('base64') };
    const body = { size: bytes.length };
    const { upload_url } = dataOf(await sandboxCreateUpload({ client: this.client, body }));
    await put(upload_url, bytes, {});
    return { path, upload_url };
  }
}

interface Answer<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response?: Response | undefined;
}

function dataOf<T>({ data, error, response }: Answer<T>): T {
  if (response === undefined) throw error;
  if (!response.ok || data === undefined) throw new TripodError(response.status, error);
  return data;
}

async function put(url: string, body: Uint8Array, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { method: 'PUT', headers, body: Buffer.from(body) });
  if (!response.ok) throw new TripodError(response.status, await response.text());
}

type WrittenFile = NonNullable<SandboxExecuteResponse['files']>[number];

async function contentOf({ content_base64, url }: WrittenFile): Promise<Uint8Array> {
  if (content_base64 !== undefined) return Buffer.from(content_base64, 'base64');
  const response = await fetch(url!);
  if (!response.ok) throw new TripodError(response.status, await response.text());
  return new Uint8Array(await response.arrayBuffer());
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { detail, message } = body as { detail?: unknown; message?: unknown };
  return [detail, message].find((text) => typeof text === 'string');
}
