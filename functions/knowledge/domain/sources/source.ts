import type { BaseId } from '../knowledge-base.ts';

export interface SourceId extends BaseId {
  readonly sourceId: string;
}

export const SCHEDULES = ['none', 'hourly', 'daily', 'weekly'] as const;
export type Schedule = (typeof SCHEDULES)[number];

export const MAX_SOURCES = 10;
/** Of a workspace, whose sources are crawled one after another. */
export const MAX_WORKSPACE_SOURCES = 50;
export const MAX_SOURCE_DOCUMENTS = 1_000;
export const MAX_DEPTH = 10;

export type SourcePlace =
  /** Pages of one host, below the folder of `url`. @param depth links that may be between the first page and another one */
  | { readonly type: 'website'; readonly url: string; readonly depth: number }
  /** Objects in the workspace's folder of the bucket of sources. */
  | { readonly type: 's3'; readonly prefix: string };

export interface CrawlCounts {
  readonly documents: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Not readable, or none of the types of documents. */
  readonly skipped: number;
}

export const NOTHING_COUNTED: CrawlCounts = {
  documents: 0,
  added: 0,
  replaced: 0,
  unchanged: 0,
  removed: 0,
  skipped: 0,
};

/** A crawl under way. It is worked in slices, so that others get their turn. */
export interface CrawlProgress {
  readonly crawlId: string;
  readonly startedAtMs: number;
  readonly slices: number;
  readonly requests: number;
  readonly bytes: number;
  readonly counts: CrawlCounts;
}

export type CrawlStop = 'max_documents' | 'max_requests' | 'max_bytes';

export interface CrawlError {
  readonly code: 'fetch_failed' | 'disallowed' | 'too_many_documents' | 'processing_failed';
  readonly message: string;
}

export interface FinishedCrawl {
  readonly finishedAt: string;
  readonly counts: CrawlCounts;
  /** The limit at which it stopped; null: everything was read. */
  readonly stoppedBy: CrawlStop | null;
  /** Null: it came to its end. */
  readonly error: CrawlError | null;
}

export interface KnowledgeSource extends SourceId {
  /** Grows with every change. */
  readonly version: number;
  readonly place: SourcePlace;
  readonly maxDocuments: number;
  readonly schedule: Schedule;
  readonly createdAt: string;
  /** When it is worked on next; null: not any more. */
  readonly dueAtMs: number | null;
  /** Null between crawls. */
  readonly crawl: CrawlProgress | null;
  /** Null before the first one has ended. */
  readonly lastCrawl: FinishedCrawl | null;
  /** Its documents are being removed. */
  readonly isRemoved: boolean;
}

/** State of a page, or an object, since it was last read. */
export interface SourcePage {
  /** Its address; also the external id of its document. */
  readonly externalId: string;
  /** The last crawl that came by. */
  readonly crawlId: string;
  /** Null: it is not a document. */
  readonly documentId: string | null;
  /** False: the document was there before, and stays when the page is gone. */
  readonly isOwn: boolean;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Addresses that it leads to. */
  readonly links: readonly string[];
}

const HOUR_MS = 60 * 60_000;
const PERIOD_MS: Readonly<Record<Exclude<Schedule, 'none'>, number>> = {
  hourly: HOUR_MS,
  daily: 24 * HOUR_MS,
  weekly: 7 * 24 * HOUR_MS,
};

/** When a source is due after a crawl that started at `startedAtMs` and ended now. */
export function nextDueMs(schedule: Schedule, startedAtMs: number, nowMs: number): number | null {
  return schedule === 'none' ? null : Math.max(startedAtMs + PERIOD_MS[schedule], nowMs);
}

/** The source of a workspace that is to be worked on: one under way first, then the one that is due longest. */
export function dueSource(sources: readonly KnowledgeSource[], nowMs: number): KnowledgeSource | null {
  const due = sources.filter(({ dueAtMs }) => dueAtMs !== null && dueAtMs <= nowMs);
  const order = ({ crawl, dueAtMs }: KnowledgeSource) => (crawl === null ? dueAtMs! : Number.NEGATIVE_INFINITY);
  return due.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))[0] ?? null;
}

/** When something of a workspace's sources is due; null: never. */
export function earliestDueMs(sources: readonly KnowledgeSource[]): number | null {
  const due = sources.flatMap(({ dueAtMs }) => dueAtMs ?? []);
  return due.length === 0 ? null : Math.min(...due);
}

/** A key, equal for sources that read the same place. */
export function placeKey(place: SourcePlace): string {
  return place.type === 'website' ? place.url : `s3:${place.prefix}`;
}
