import type { JobCaller } from '../../../shared/ports/job-caller.ts';
import type { BaseId } from '../knowledge-base.ts';
import type { WebPage } from '../knowledge-ports.ts';
import type { KnowledgeSource, SourceId, SourcePage } from './source.ts';

/** Stored sources. Reads are strongly consistent. */
export interface KnowledgeSources {
  find(id: SourceId): Promise<KnowledgeSource | null>;
  ofBase(base: BaseId): Promise<KnowledgeSource[]>;
  ofWorkspace(workspaceId: string): Promise<KnowledgeSource[]>;
  /**
   * Stores a source, and lists its workspace as one with work to do. @param seen what it was read as; null: it is new.
   * @returns false when it has changed since.
   */
  save(source: KnowledgeSource, seen: KnowledgeSource | null): Promise<boolean>;
  /** The same by the run that works on it: the workspace is listed already. */
  saveProgress(source: KnowledgeSource, seen: KnowledgeSource): Promise<boolean>;
  /** Forgets a source, whose pages are forgotten already. */
  forget(id: SourceId): Promise<void>;
}

export interface SourcePages {
  all(source: SourceId): Promise<SourcePage[]>;
  put(source: SourceId, page: SourcePage): Promise<void>;
  forget(source: SourceId, externalIds: readonly string[]): Promise<void>;
}

export interface CrawlLease {
  readonly workspaceId: string;
  readonly fence: string;
  /** Of the workspace's entry when the lease was taken. */
  readonly stamp: string;
}

/** Workspaces with sources; one run at a time crawls each. */
export interface CrawledWorkspaces {
  /** Those with something to do that no run holds. */
  due(nowMs: number): AsyncIterable<string>;
  /** @returns null when another run holds it, or nothing is listed. */
  acquire(workspaceId: string, fence: string, nowMs: number, leaseUntilMs: number): Promise<CrawlLease | null>;
  /** @param dueAtMs null: nothing is left to do. A source that was saved meanwhile keeps the workspace due. */
  release(lease: CrawlLease, dueAtMs: number | null): Promise<void>;
}

export interface CrawlMessage {
  readonly workspaceId: string;
}

export interface CrawlQueue {
  send(messages: readonly CrawlMessage[]): Promise<void>;
}

/** A site's rules for crawlers. */
export interface SiteRules {
  /** Whether each of these addresses may be read. @throws CrawlFailed when that takes too long. */
  allowed(urls: readonly string[]): Promise<readonly boolean[]>;
  /** Wanted between two requests. */
  readonly delayMs: number;
  /** Addresses of its sitemaps. */
  readonly sitemaps: readonly string[];
}

export type WebAnswer =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'gone'; readonly status: number }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Not now. */
  | { readonly kind: 'unreachable'; readonly message: string }
  | ({ readonly kind: 'content' } & WebContent);

export interface WebContent extends WebPage {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Of a page; null for files. */
  readonly title: string | null;
  /** Absolute addresses. */
  readonly links: readonly string[];
  /** False: the page asks not to be indexed. */
  readonly isIndexable: boolean;
}

/** Websites, as far as they are on the public internet. */
export interface CrawledWeb {
  /** @throws CrawlFailed when the rules cannot be read. */
  rules(origin: string, caller: JobCaller): Promise<SiteRules>;
  /** The entries of a sitemap; empty without one. */
  sitemap(
    url: string,
    caller: JobCaller,
  ): Promise<{ readonly pages: readonly string[]; readonly sitemaps: readonly string[] }>;
  /** Redirects are not followed. @param seen what the page was answered with last, which makes the request a conditional one */
  get(
    url: string,
    seen: Pick<SourcePage, 'etag' | 'lastModified'> | null,
    maxBytes: number,
    caller: JobCaller,
  ): Promise<WebAnswer>;
}

/** Objects of the workspace's folder. Keys are relative to it. */
export interface PrefixObjects {
  /** In the order of their keys. */
  list(
    workspaceId: string,
    prefix: string,
  ): AsyncIterable<{ readonly key: string; readonly etag: string; readonly bytes: number }>;
  /** @returns null when it is gone. */
  get(workspaceId: string, key: string): Promise<WebPage | null>;
}
