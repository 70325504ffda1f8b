import type * as z from 'zod';
import type { SourceDraft } from '../domain/sources/manage-sources.ts';
import type { CrawlCounts, KnowledgeSource } from '../domain/sources/source.ts';
import type { knowledgeSource, sourceBody } from './schemas.ts';

export function toSourceDraft(body: z.output<typeof sourceBody>): SourceDraft {
  const { max_documents: maxDocuments, schedule } = body;
  if (body.type === 's3') return { place: { type: 's3', prefix: body.prefix }, maxDocuments, schedule };
  return { place: { type: 'website', url: body.url, depth: body.depth }, maxDocuments, schedule };
}

export function toSourceResponse(source: KnowledgeSource, nowMs: number): z.output<typeof knowledgeSource> {
  const { sourceId: id, place, maxDocuments, schedule, createdAt, dueAtMs, crawl, lastCrawl } = source;
  return {
    id,
    type: place.type,
    max_documents: maxDocuments,
    schedule,
    created_at: createdAt,
    ...(place.type === 'website'
      ? { url: place.url, depth: place.depth, prefix: null }
      : { url: null, depth: null, prefix: place.prefix }),
    status: statusOf(source, nowMs),
    next_crawl_at: dueAtMs === null ? null : new Date(dueAtMs).toISOString(),
    crawl: crawl && countsOf(crawl.counts),
    last_crawl: lastCrawl && {
      ...countsOf(lastCrawl.counts),
      finished_at: lastCrawl.finishedAt,
      stopped_by: lastCrawl.stoppedBy,
    },
    last_error: lastCrawl?.error ?? null,
  };
}

/** Between two crawls of its schedule a source is as its last crawl left it. */
function statusOf({ crawl, lastCrawl, dueAtMs }: KnowledgeSource, nowMs: number) {
  if (crawl !== null) return 'crawling';
  if (lastCrawl === null || (dueAtMs !== null && dueAtMs <= nowMs)) return 'waiting';
  return lastCrawl.error === null ? 'ready' : 'failed';
}

function countsOf({ documents, added, replaced, unchanged, removed, skipped }: CrawlCounts): CrawlCounts {
  return { documents, added, replaced, unchanged, removed, skipped };
}
