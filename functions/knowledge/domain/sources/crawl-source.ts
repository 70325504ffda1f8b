import type { Clock } from '../../../shared/ports/clock.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { DocumentId, FailureCode } from '../knowledge-base.ts';
import { KnowledgeRefused } from '../knowledge-refused.ts';
import { type ManageBasePorts, type ManageDocumentPorts, removeDocument } from '../manage-knowledge.ts';
import { addOrReplace } from '../replace-document.ts';
import { walkPrefix } from './prefix.ts';
import {
  type CrawlCounts,
  type CrawlError,
  type CrawlProgress,
  type CrawlStop,
  type KnowledgeSource,
  NOTHING_COUNTED,
  nextDueMs,
  type SourcePage,
} from './source.ts';
import type { KnowledgeSources, PrefixObjects, SourcePages } from './source-ports.ts';
import { CrawlFailed, type KnownPages, type Visit } from './visits.ts';
import { type WalkPorts, walkWebsite } from './website.ts';

export interface CrawlPorts extends WalkPorts {
  readonly knowledge: ManageDocumentPorts & Pick<ManageBasePorts, 'bases'>;
  readonly sources: KnowledgeSources;
  readonly pages: SourcePages;
  readonly objects: PrefixObjects;
  readonly clock: Clock;
  readonly ids: Ids;
}

const MAX_BYTES = 500 * 2 ** 20;
/** Requests of a crawl for its number of documents: some addresses yield none. */
const maxRequests = (maxDocuments: number) => 2 * maxDocuments + 50;
/** Number of slices after which a crawl with crashing slices ends; a regular one takes about thirty. */
const MAX_SLICES = 120;

/** Failures of documents that reading the same content again would not fix. */
const LASTING: ReadonlySet<FailureCode> = new Set(['unreadable', 'no_text', 'too_large']);

/**
 * Works on a source until its crawl has ended, or until `untilMs`: the next slice then continues from the stored state. Pages become
 * documents by their addresses, so that a visit repeated after a crash changes nothing.
 */
export async function crawlSource(source: KnowledgeSource, untilMs: number, ports: CrawlPorts): Promise<void> {
  const isThere = !source.isRemoved && (await ports.knowledge.bases.find(source)) !== null;
  if (!isThere) return clear(source, untilMs, ports);
  const nowMs = ports.clock.now();
  const begun = source.crawl ?? newCrawl(ports.ids.next('crawl'), nowMs);
  const crawl: CrawlProgress = { ...begun, slices: begun.slices + 1 };
  const working: KnowledgeSource = { ...source, version: source.version + 1, crawl };
  // The request that changed it has put it on the list again.
  if (!(await ports.sources.saveProgress(working, source))) return;
  if (crawl.slices > MAX_SLICES) return end(working, crawl, { error: GIVEN_UP }, ports);
  const slice = await Slice.open(working, crawl, ports);
  try {
    const stoppedBy = await slice.run(untilMs);
    if (stoppedBy === 'time') {
      await ports.sources.saveProgress({ ...working, version: working.version + 1, crawl: slice.crawl }, working);
      return;
    }
    // Pages skipped because of too many bytes may still exist.
    if (stoppedBy !== 'max_bytes') await slice.removeUnvisited();
    await end(working, slice.crawl, { stoppedBy }, ports);
  } catch (error) {
    if (!(error instanceof CrawlFailed)) throw error;
    await end(working, slice.crawl, { error: { code: error.code, message: error.message } }, ports);
  }
}

class Slice {
  readonly #source: KnowledgeSource;
  readonly #ports: CrawlPorts;
  readonly #pages: Map<string, SourcePage>;
  crawl: CrawlProgress;

  private constructor(
    source: KnowledgeSource,
    crawl: CrawlProgress,
    pages: Map<string, SourcePage>,
    ports: CrawlPorts,
  ) {
    this.#source = source;
    this.#ports = ports;
    this.#pages = pages;
    this.crawl = crawl;
  }

  static async open(source: KnowledgeSource, crawl: CrawlProgress, ports: CrawlPorts): Promise<Slice> {
    const pages = await ports.pages.all(source);
    return new Slice(source, crawl, new Map(pages.map((page) => [page.externalId, page])), ports);
  }

  async run(untilMs: number): Promise<CrawlStop | 'time' | null> {
    const { place, maxDocuments } = this.#source;
    for await (const visit of this.#walk()) {
      await this.#record(visit);
      if (this.#documents() >= maxDocuments) return 'max_documents';
      if (this.crawl.requests >= maxRequests(maxDocuments) && place.type === 'website') return 'max_requests';
      if (this.crawl.bytes >= MAX_BYTES) return 'max_bytes';
      if (this.#ports.clock.now() >= untilMs) return 'time';
    }
    return null;
  }

  /** Removes the documents of pages that the crawl did not come by. */
  async removeUnvisited(): Promise<void> {
    for (const page of this.#pages.values()) {
      if (page.crawlId === this.crawl.crawlId) continue;
      await this.#removeDocumentOf(page);
      await this.#ports.pages.forget(this.#source, [page.externalId]);
      this.#pages.delete(page.externalId);
    }
    this.#count({ documents: this.#documents() });
  }

  #walk(): AsyncGenerator<Visit> {
    const { place, workspaceId } = this.#source;
    return place.type === 'website'
      ? walkWebsite(workspaceId, place, this.#known, this.#ports)
      : walkPrefix(workspaceId, place, this.#known, this.#ports);
  }

  readonly #known: KnownPages = {
    find: (externalId) => this.#pages.get(externalId) ?? null,
    visited: (externalId) => {
      const page = this.#pages.get(externalId);
      return page?.crawlId === this.crawl.crawlId ? page : null;
    },
    readable: async (externalId) => {
      const page = this.#pages.get(externalId);
      if (page === undefined || page.documentId === null) return page ?? null;
      const document = await this.#ports.knowledge.documents.find(this.#idOf(page.documentId));
      if (document === null) return null;
      return document.failure === null || LASTING.has(document.failure.code) ? page : null;
    },
  };

  async #record(visit: Visit): Promise<void> {
    const { externalId, links, etag, lastModified } = visit;
    const before = this.#pages.get(externalId) ?? null;
    const { documentId = null, isOwn = true } = before ?? {};
    let page: SourcePage = {
      externalId,
      crawlId: this.crawl.crawlId,
      documentId,
      isOwn,
      etag,
      lastModified,
      links,
    };
    if (visit.kind === 'content') {
      this.crawl = { ...this.crawl, bytes: this.crawl.bytes + visit.content.bytes.byteLength };
      page = { ...page, ...(await this.#store(visit, before)) };
    } else if (visit.kind === 'gone' || visit.kind === 'skipped') {
      if (before !== null) await this.#removeDocumentOf(before);
      page = { ...page, documentId: null };
      if (visit.kind === 'skipped') this.#count({ skipped: 1 });
    } else this.#count(visit.kind === 'failed' || documentId === null ? { skipped: 1 } : { unchanged: 1 });
    await this.#ports.pages.put(this.#source, page);
    this.#pages.set(externalId, page);
    this.crawl = { ...this.crawl, requests: this.crawl.requests + 1 };
    this.#count({ documents: this.#documents() });
  }

  /** @throws CrawlFailed */
  async #store(
    { externalId, title, content }: Extract<Visit, { kind: 'content' }>,
    before: SourcePage | null,
  ): Promise<Pick<SourcePage, 'documentId' | 'isOwn'>> {
    const { workspaceId, baseId } = this.#source;
    try {
      const { document, isNew } = await addOrReplace(
        { workspaceId, baseId },
        { kind: 'read', title: title.slice(0, MAX_TITLE_LENGTH), content, externalId },
        this.#ports.knowledge,
      );
      const isUnchanged = !isNew && document.status !== 'pending';
      this.#count(isNew ? { added: 1 } : isUnchanged ? { unchanged: 1 } : { replaced: 1 });
      // A document that existed before the source's visit belongs to a member.
      const isOwn = isNew || (before?.documentId === document.documentId && before.isOwn);
      return { documentId: document.documentId, isOwn };
    } catch (error) {
      if (!(error instanceof KnowledgeRefused)) throw error;
      if (error.refusal === 'too_many_documents') throw new CrawlFailed('too_many_documents', error.message);
      this.#count({ skipped: 1 });
      const { documentId = null, isOwn = true } = before ?? {};
      return { documentId, isOwn };
    }
  }

  async #removeDocumentOf(page: SourcePage): Promise<void> {
    if (await removeOwn(this.#source, page, this.#ports)) this.#count({ removed: 1 });
  }

  /** Of pages that this crawl has visited. */
  #documents(): number {
    let documents = 0;
    for (const { crawlId, documentId } of this.#pages.values())
      if (crawlId === this.crawl.crawlId && documentId !== null) documents += 1;
    return documents;
  }

  #idOf(documentId: string): DocumentId {
    const { workspaceId, baseId } = this.#source;
    return { workspaceId, baseId, documentId };
  }

  #count({ documents, ...more }: Partial<CrawlCounts>): void {
    const counts = { ...this.crawl.counts, ...(documents !== undefined && { documents }) };
    for (const [name, by] of Object.entries(more)) counts[name as keyof CrawlCounts] += by;
    this.crawl = { ...this.crawl, counts };
  }
}

const MAX_TITLE_LENGTH = 300;

function newCrawl(crawlId: string, startedAtMs: number): CrawlProgress {
  return { crawlId, startedAtMs, slices: 0, requests: 0, bytes: 0, counts: NOTHING_COUNTED };
}

async function end(
  source: KnowledgeSource,
  { counts, startedAtMs }: CrawlProgress,
  { stoppedBy = null, error = null }: { readonly stoppedBy?: CrawlStop | null; readonly error?: CrawlError | null },
  { sources, clock }: CrawlPorts,
): Promise<void> {
  const nowMs = clock.now();
  const ended: KnowledgeSource = {
    ...source,
    version: source.version + 1,
    crawl: null,
    dueAtMs: nextDueMs(source.schedule, startedAtMs, nowMs),
    lastCrawl: { finishedAt: new Date(nowMs).toISOString(), counts, stoppedBy, error },
  };
  await sources.saveProgress(ended, source);
}

/** Removes the documents of a source that is no longer wanted, or whose base is gone, and then the source. */
async function clear(source: KnowledgeSource, untilMs: number, ports: CrawlPorts): Promise<void> {
  for (const page of await ports.pages.all(source)) {
    if (ports.clock.now() >= untilMs) return;
    await removeOwn(source, page, ports);
    await ports.pages.forget(source, [page.externalId]);
  }
  await ports.sources.forget(source);
}

/** @returns false if the page has no document of this source. */
async function removeOwn(
  { workspaceId, baseId }: KnowledgeSource,
  { documentId, isOwn }: SourcePage,
  { knowledge }: CrawlPorts,
): Promise<boolean> {
  if (documentId === null || !isOwn) return false;
  try {
    await removeDocument({ workspaceId, baseId, documentId }, knowledge);
    return true;
  } catch (error) {
    if (error instanceof KnowledgeRefused && GONE.has(error.refusal)) return false;
    throw error;
  }
}

const GONE: ReadonlySet<string> = new Set(['not_found', 'document_not_found']);

const GIVEN_UP: CrawlError = {
  code: 'processing_failed',
  message: 'The crawl was tried many times and never came to its end. Add the source with fewer documents.',
};
