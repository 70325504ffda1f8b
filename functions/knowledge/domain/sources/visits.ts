import { documentTypeOf } from '../knowledge-base.ts';
import type { WebPage } from '../knowledge-ports.ts';
import type { CrawlError, SourcePage } from './source.ts';

/** The reason why a crawl cannot continue; existing documents stay. */
export class CrawlFailed extends Error {
  override name = 'CrawlFailed';
  readonly code: CrawlError['code'];

  constructor(code: CrawlError['code'], message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Documents of all types but pictures, which sources hold for show. */
export function isCrawled(mediaType: string): boolean {
  const type = documentTypeOf(mediaType);
  return type !== null && type !== 'image';
}

/** The result of a crawl at one address. */
export type Visit = {
  readonly externalId: string;
  /** True: something was asked of a server for it. */
  readonly links: readonly string[];
  readonly etag: string | null;
  readonly lastModified: string | null;
} & (
  | { readonly kind: 'content'; readonly title: string; readonly content: WebPage }
  | { readonly kind: 'unchanged' }
  /** It cannot be read now: a document of it stays. */
  | { readonly kind: 'failed' }
  /** It is there, and no document. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'gone' }
);

/** A walk's knowledge of earlier crawls. */
export interface KnownPages {
  /** A page whose document is there, so that an unchanged one need not be read again; null: read it. */
  readable(externalId: string): Promise<SourcePage | null>;
  /** A page that this crawl has visited already, in an earlier slice. */
  visited(externalId: string): SourcePage | null;
  /** A page of any crawl. */
  find(externalId: string): SourcePage | null;
}
