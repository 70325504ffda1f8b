import { documentTypeOf } from '../../../knowledge/domain/knowledge-base.ts';
import type { SourcePage } from '../../../knowledge/domain/sources/source.ts';
import type { CrawledWeb, SiteRules, WebAnswer } from '../../../knowledge/domain/sources/source-ports.ts';
import { CrawlFailed } from '../../../knowledge/domain/sources/visits.ts';
import type { JobCaller } from '../../../shared/ports/job-caller.ts';
import { FetchRefused } from '../../web/fetch-refused.ts';
import { readBody, SafeFetch, type SafeResponse } from '../../web/safe-fetch.ts';
import { readSiteText } from './site-thread.ts';

const FIELD = 'url';
const TIMEOUT_MS = 15_000;
const MAX_ROBOTS_BYTES = 64 * 1024;
const MAX_SITEMAP_BYTES = 5 * 2 ** 20;
const MAX_LINKED_BYTES = 2 * 2 ** 20;
const NO_RULES: SiteRules = {
  allowed: async (urls) => urls.map(() => true),
  delayMs: 0,
  sitemaps: [],
};

/** Websites by way of SafeFetch: only the public internet can be reached, redirects included. */
export class CrawlingWeb implements CrawledWeb {
  readonly #web: SafeFetch;

  constructor({ allowLoopback }: { readonly allowLoopback: boolean }) {
    this.#web = new SafeFetch({ field: FIELD, allowLoopback });
  }

  /** As RFC 9309 has it: without rules everything is allowed, and nothing while they cannot be read. */
  async rules(origin: string, caller: JobCaller): Promise<SiteRules> {
    const address = `${origin}/robots.txt`;
    try {
      const response = await this.#web.fetch(address, { timeoutMs: TIMEOUT_MS });
      const { status } = response;
      if (status !== 200) response.close();
      if (status >= 400 && status < 500 && status !== 429) return NO_RULES;
      if (status !== 200) throw unread(`robots.txt answered with status ${status}.`);
      const text = Buffer.from(await readBody(response, MAX_ROBOTS_BYTES, 'robots.txt')).toString('utf8');
      const robots = { address, text };
      const { delayMs, sitemaps } = (await readSiteText('rules', robots, caller)) ?? tooSlow();
      return {
        allowed: async (urls) => (await readSiteText('allowed', { ...robots, urls }, caller)) ?? tooSlow(),
        delayMs,
        sitemaps,
      };
    } catch (error) {
      if (error instanceof FetchRefused) throw unread(error.message, error);
      throw error;
    }
  }

  async sitemap(url: string, caller: JobCaller): ReturnType<CrawledWeb['sitemap']> {
    const nothing = { pages: [], sitemaps: [] };
    try {
      const response = await this.#web.fetch(url, { timeoutMs: TIMEOUT_MS });
      if (response.status !== 200) {
        response.close();
        return nothing;
      }
      const xml = Buffer.from(await readBody(response, MAX_SITEMAP_BYTES, FIELD)).toString('utf8');
      return (await readSiteText('sitemap', xml, caller)) ?? nothing;
    } catch (error) {
      // A site is whole without it.
      if (error instanceof FetchRefused) return nothing;
      throw error;
    }
  }

  async get(
    url: string,
    seen: Pick<SourcePage, 'etag' | 'lastModified'> | null,
    maxBytes: number,
    caller: JobCaller,
  ): Promise<WebAnswer> {
    try {
      const response = await this.#web.fetch(url, {
        headers: {
          accept: 'text/html, */*',
          ...(seen?.etag && { 'if-none-match': seen.etag }),
          ...(seen?.lastModified && { 'if-modified-since': seen.lastModified }),
        },
        timeoutMs: TIMEOUT_MS,
        followsRedirects: false,
      });
      return await answerOf(url, response, maxBytes, caller);
    } catch (error) {
      if (error instanceof FetchRefused) return { kind: 'unreachable', message: error.message };
      throw error;
    }
  }
}

async function answerOf(url: string, response: SafeResponse, maxBytes: number, caller: JobCaller): Promise<WebAnswer> {
  const { status, headers } = response;
  if (status !== 200) response.close();
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'gone', status };
  const to = status >= 300 && status < 400 ? URL.parse(headers.location ?? '', url) : null;
  if (to !== null) return { kind: 'redirect', to: to.href };
  if (status !== 200) return { kind: 'unreachable', message: `${FIELD} answered with status ${status}.` };
  const mediaType = headers['content-type'] ?? '';
  const found = {
    kind: 'content',
    mediaType,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
  } as const;
  const asksNotTo = /\b(?:noindex|none)\b/i.test(String(headers['x-robots-tag'] ?? ''));
  if (documentTypeOf(mediaType) === null) {
    response.close();
    return { ...found, bytes: new Uint8Array(), title: null, links: [], isIndexable: false };
  }
  const bytes = await readBody(response, maxBytes, FIELD);
  if (documentTypeOf(mediaType) !== 'html' || bytes.byteLength > MAX_LINKED_BYTES)
    return { ...found, bytes, title: null, links: [], isIndexable: !asksNotTo };
  const head = await readSiteText('page', { bytes, url }, caller);
  return {
    ...{ ...found, bytes, title: head?.title ?? null, links: head?.links ?? [] },
    isIndexable: !asksNotTo && (head?.isIndexable ?? true),
  };
}

function tooSlow(): never {
  throw unread('comparing addresses with them takes too long.');
}

function unread(message: string, cause?: unknown): CrawlFailed {
  return new CrawlFailed('fetch_failed', `The rules of the site cannot be read: ${message}`, { cause });
}
