import type { WebPage, WebPages } from '../../knowledge/domain/knowledge-ports.ts';
import { KnowledgeRefused } from '../../knowledge/domain/knowledge-refused.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import { readBody, SafeFetch } from '../web/safe-fetch.ts';

const FIELD = 'url';
const TIMEOUT_MS = 15_000;
/** Memory that a function can spare for a page. */
const MAX_PAGE_BYTES = 20 * 2 ** 20;

/** Reads pages and files that a person names, on the public internet alone. */
export class SafeWebPages implements WebPages {
  readonly #web: SafeFetch;

  constructor({ allowLoopback }: { readonly allowLoopback: boolean }) {
    this.#web = new SafeFetch({ field: FIELD, allowLoopback });
  }

  /** @throws KnowledgeRefused */
  async read(url: string, maxBytes: number): Promise<WebPage> {
    try {
      const response = await this.#web.fetch(url, { headers: { accept: 'text/html, */*' }, timeoutMs: TIMEOUT_MS });
      if (response.status !== 200) {
        response.close();
        throw refused(`${FIELD} answered with status ${response.status} instead of 200.`);
      }
      const bytes = await readBody(response, Math.min(maxBytes, MAX_PAGE_BYTES), FIELD);
      return { bytes, mediaType: response.headers['content-type'] ?? '' };
    } catch (error) {
      if (error instanceof FetchRefused) throw refused(error.message, error);
      throw error;
    }
  }
}

function refused(message: string, cause?: unknown): KnowledgeRefused {
  return new KnowledgeRefused('document_fetch_failed', message, { cause });
}
