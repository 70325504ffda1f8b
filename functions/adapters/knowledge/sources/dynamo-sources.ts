import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { BaseId } from '../../../knowledge/domain/knowledge-base.ts';
import type { KnowledgeSource, SourceId, SourcePage } from '../../../knowledge/domain/sources/source.ts';
import type {
  CrawledWorkspaces,
  CrawlLease,
  KnowledgeSources,
  SourcePages,
} from '../../../knowledge/domain/sources/source-ports.ts';
import type { Backoff } from '../../../shared/ports/backoff.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import { ABSENT, and, atMost, equal, missing, or } from '../../dynamodb/expressions.ts';
import {
  CRAWLED_WORKSPACES_PARTITION,
  crawledWorkspaceKey,
  knowledgeSourceKey,
  knowledgeSources,
  sourcePageKey,
  sourcePagesPartition,
  workspacePartition,
} from '../../dynamodb/keys.ts';
import { leases } from '../../dynamodb/leases.ts';
import { DynamoTable, type Item, type Key } from '../../dynamodb/table.ts';
import { transactOrRetry } from '../../dynamodb/transactions.ts';

const { held, free, acquire, release } = leases({ waiting: 'idle', leased: 'crawling' });

/** Stores sources next to the knowledge bases of their workspace, and an entry for each workspace that has some. */
export class DynamoSources implements KnowledgeSources, CrawledWorkspaces {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #ports: { readonly backoff: Backoff; readonly ids: Ids };

  constructor(client: DynamoDBDocumentClient, table: string, ports: { readonly backoff: Backoff; readonly ids: Ids }) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  async find(id: SourceId): Promise<KnowledgeSource | null> {
    const item = await this.#table.get(keyOf(id));
    return item && sourceOf(item);
  }

  ofBase({ workspaceId, baseId }: BaseId): Promise<KnowledgeSource[]> {
    return this.#all(workspaceId, knowledgeSources(baseId));
  }

  ofWorkspace(workspaceId: string): Promise<KnowledgeSource[]> {
    return this.#all(workspaceId, knowledgeSources());
  }

  async save(source: KnowledgeSource, seen: KnowledgeSource | null): Promise<boolean> {
    const { workspaceId } = source;
    const condition = seen === null ? ABSENT : equal('version', seen.version);
    const set = { workspaceId, dueAtMs: 0, stamp: this.#ports.ids.next('stamp') };
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['source', this.#table.putPart({ ...source, ...keyOf(source) }, condition)],
        ['workspace', this.#table.updatePart(crawledWorkspaceKey(workspaceId), { orCreate: true, set })],
      ],
      this.#ports.backoff,
    );
    return cancelled === null;
  }

  async saveProgress(source: KnowledgeSource, seen: KnowledgeSource): Promise<boolean> {
    const { written } = await this.#table.put({ ...source, ...keyOf(source) }, equal('version', seen.version));
    return written;
  }

  async forget(id: SourceId): Promise<void> {
    await this.#table.delete(keyOf(id));
  }

  async *due(nowMs: number): AsyncGenerator<string> {
    const query = { partition: CRAWLED_WORKSPACES_PARTITION, filter: atMost('dueAtMs', nowMs) };
    for await (const item of this.#table.query<WorkspaceEntry>(query))
      if ((item.leaseUntilMs ?? 0) <= nowMs) yield item.workspaceId;
  }

  async acquire(workspaceId: string, fence: string, nowMs: number, leaseUntilMs: number): Promise<CrawlLease | null> {
    const key = crawledWorkspaceKey(workspaceId);
    // An entry that no run has held yet has no state.
    const available = or(missing('status'), free(nowMs));
    const taken = await this.#table.updateItem(key, acquire(fence, leaseUntilMs, available));
    return taken.written ? { workspaceId, fence, stamp: (taken.item as unknown as WorkspaceEntry).stamp } : null;
  }

  async release({ workspaceId, fence, stamp }: CrawlLease, dueAtMs: number | null): Promise<void> {
    const key = crawledWorkspaceKey(workspaceId);
    const unchanged = and(held(fence), equal('stamp', stamp));
    const isDone =
      dueAtMs === null
        ? await this.#table.delete(key, unchanged)
        : await this.#table.update(key, {
            ...release(fence),
            set: { ...release(fence).set, dueAtMs },
            condition: unchanged,
          });
    if (!isDone) await this.#table.update(key, release(fence));
  }

  async #all(workspaceId: string, prefix: string): Promise<KnowledgeSource[]> {
    const found: KnowledgeSource[] = [];
    for await (const item of this.#table.query({ partition: workspacePartition(workspaceId), prefix }))
      found.push(sourceOf(item));
    return found;
  }
}

/** The pages of a source, each an item. */
export class DynamoSourcePages implements SourcePages {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async all({ workspaceId, sourceId }: SourceId): Promise<SourcePage[]> {
    const found: SourcePage[] = [];
    for await (const item of this.#table.query({ partition: sourcePagesPartition(workspaceId, sourceId) }))
      found.push(pageOf(item));
    return found;
  }

  async put(source: SourceId, page: SourcePage): Promise<void> {
    await this.#table.put({ ...page, ...pageKey(source, page.externalId) });
  }

  async forget(source: SourceId, externalIds: readonly string[]): Promise<void> {
    for (const externalId of externalIds) await this.#table.delete(pageKey(source, externalId));
  }
}

interface WorkspaceEntry {
  readonly workspaceId: string;
  readonly stamp: string;
  readonly leaseUntilMs?: number;
}

const keyOf = ({ workspaceId, baseId, sourceId }: SourceId): Key => knowledgeSourceKey(workspaceId, baseId, sourceId);

function pageKey({ workspaceId, sourceId }: SourceId, externalId: string): Key {
  return sourcePageKey(workspaceId, sourceId, createHash('sha256').update(externalId).digest('base64url'));
}

function sourceOf({ pk, sk, ...source }: Item): KnowledgeSource {
  return source as unknown as KnowledgeSource;
}

function pageOf({ pk, sk, ...page }: Item): SourcePage {
  return page as unknown as SourcePage;
}
