import type * as z from 'zod';
import { ToolFailed } from '../../../chat/domain/tools/tool.ts';
import type { WebHit, WebSearch } from '../../../chat/domain/tools/web-search.ts';
import type { SafeFetch } from '../../web/safe-fetch.ts';
import { bodyBeginning } from '../tools/bounded-body.ts';
import { failureOfFetch } from '../tools/tool-failures.ts';

/** How a provider is asked, and where its answer has the results. */
export interface SearchFormat {
  /** Parameters of the address. */
  readonly parameters: (query: string, count: number) => Readonly<Record<string, string>>;
  readonly keyHeader: (key: string) => Readonly<Record<string, string>>;
  readonly answer: z.ZodType<readonly WebHit[]>;
}

export interface SearchProviderOptions {
  /** Address of the JSON endpoint. */
  readonly url: string;
  readonly format: SearchFormat;
  /** Null: the provider wants none. */
  readonly key: () => Promise<string | null>;
  readonly web: SafeFetch;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** A provider that answers GET requests with JSON. */
export class SearchProvider implements WebSearch {
  readonly #options: SearchProviderOptions;

  constructor(options: SearchProviderOptions) {
    this.#options = options;
  }

  async find(
    query: string,
    { count, signal }: { readonly count: number; readonly signal: AbortSignal },
  ): Promise<readonly WebHit[]> {
    const { url, format, key, web } = this.#options;
    const address = new URL(url);
    for (const [name, value] of Object.entries(format.parameters(query, count))) address.searchParams.set(name, value);
    const secret = await key();
    const headers = { accept: 'application/json', ...(secret !== null && format.keyHeader(secret)) };
    try {
      // The key must not follow a redirect.
      const request = { headers, timeoutMs: TIMEOUT_MS, signal, followsRedirects: false };
      const response = await web.fetch(address.href, request);
      const { bytes, isCut } = await bodyBeginning(response, MAX_BYTES);
      requireSuccess(response.status);
      const hits = format.answer.safeParse(isCut ? null : parsed(bytes));
      if (!hits.success)
        throw new ToolFailed('unavailable', 'The provider of web search answered in an unexpected form.');
      return hits.data.slice(0, count);
    } catch (error) {
      throw failureOfFetch(error);
    }
  }
}

/** @throws ToolFailed without a word of the answer, which may repeat the key */
function requireSuccess(status: number): void {
  if (status === 200) return;
  if (status === 429)
    throw new ToolFailed('unavailable', 'The provider of web search takes no more requests now. Try later.');
  throw new ToolFailed('unavailable', `The provider of web search answered with status ${status}.`);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}
