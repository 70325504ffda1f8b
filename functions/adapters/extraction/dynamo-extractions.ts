import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { JudgedPage, Summary } from '../../extraction/domain/extraction.ts';
import type { ExtractionOrigin, Extractions, StoredExtraction } from '../../extraction/domain/stored-extraction.ts';
import { chunks } from '../../shared/chunks.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import {
  epochSeconds,
  extractionKey,
  linedExtractionKey,
  linedPageKey,
  linedStateKey,
  reviewKey,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import type { LinedState } from './lined-state.ts';

/**
 * A judged page is stored gzipped: an item may hold 400 KB, and is billed by its size. Three hundred lines are about 100 KB of JSON and a
 * tenth of that zipped. Counts stay readable outside.
 */
interface ExtractionItem extends Omit<StoredExtraction, 'page' | 'expiresAt'> {
  readonly page: Uint8Array;
  readonly documentType: string;
  readonly foundTable: boolean;
  readonly itemCount: number;
  readonly byStatus: Summary['byStatus'];
  /** Lines that need a review and have no decision. */
  readonly openLines: number;
  readonly expiresAt: number;
}

type ReadItem = Pick<ExtractionItem, 'extractionId' | 'workspaceId' | 'createdAt' | 'expiresAt' | 'page' | 'origin'>;
type LinedItem = Key & LinedState & { readonly page?: Uint8Array; readonly origin?: ExtractionOrigin };

/** Chunks of 25 always stay under BatchGetItem's 16 MB; those of a job run in parallel. */
const KEYS_PER_CALL = 25;

export class DynamoExtractions implements Extractions {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async find(workspaceId: string, extractionId: string): Promise<StoredExtraction | null> {
    const item = await this.#table.get<ExtractionItem>(extractionKey(workspaceId, extractionId));
    if (item !== null) return this.#read(item);
    return (await this.#lined(workspaceId, [extractionId])).get(extractionId) ?? null;
  }

  async findAll(workspaceId: string, extractionIds: readonly string[]): Promise<ReadonlyMap<string, StoredExtraction>> {
    const keys = [...new Set(extractionIds)].map((id) => extractionKey(workspaceId, id));
    const items = await Promise.all(
      chunks(keys, KEYS_PER_CALL).map((some) => this.#table.getAll<ExtractionItem>(some)),
    );
    const stored = new Map(items.flat().map((item) => [item.extractionId, item]));
    const found = [...stored.values()].flatMap((item) => this.#read(item) ?? []);
    const others = extractionIds.filter((id) => !stored.has(id));
    return new Map([
      ...found.map((extraction) => [extraction.extractionId, extraction] as const),
      ...(await this.#lined(workspaceId, others)),
    ]);
  }

  /** Ids of the extractions in the partition of their workspace; those of its line have separate partitions. */
  async *ids(workspaceId: string): AsyncGenerator<string> {
    const { pk: partition, sk: prefix } = extractionKey(workspaceId, '');
    for await (const { extractionId } of this.#table.query<ExtractionItem>({ partition, prefix })) yield extractionId;
  }

  async remove(workspaceId: string, extractionId: string): Promise<void> {
    const keys = [reviewKey, linedExtractionKey, extractionKey, linedPageKey, linedStateKey].map((keyOf) =>
      keyOf(workspaceId, extractionId),
    );
    await Promise.all(keys.map((key) => this.#table.delete(key)));
  }

  /** Extractions settled from the workspace's line, identified by their state; the page is in the same partition. */
  async #lined(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredExtraction>> {
    const keys = [...new Set(ids)].flatMap((id) => [linedStateKey(workspaceId, id), linedPageKey(workspaceId, id)]);
    const items = await Promise.all(chunks(keys, KEYS_PER_CALL).map((some) => this.#table.getAll<LinedItem>(some)));
    const byKey = new Map(items.flat().map((item) => [`${item.pk} ${item.sk}`, item]));
    const itemAt = ({ pk, sk }: Key) => byKey.get(`${pk} ${sk}`);
    const found = new Map<string, StoredExtraction>();
    for (const extractionId of ids) {
      const state = itemAt(linedStateKey(workspaceId, extractionId));
      const { page, origin } = itemAt(linedPageKey(workspaceId, extractionId)) ?? {};
      if (state?.status !== 'settled' || page === undefined) continue;
      const extraction = this.#read({ ...state, extractionId, workspaceId, page, ...(origin && { origin }) });
      if (extraction !== null) found.set(extractionId, extraction);
    }
    return found;
  }

  #read(item: ReadItem): StoredExtraction | null {
    if (item.expiresAt <= epochSeconds(this.#clock.now())) return null;
    const { extractionId, workspaceId, createdAt, origin } = item;
    return {
      extractionId,
      workspaceId,
      createdAt,
      expiresAt: new Date(item.expiresAt * 1000).toISOString(),
      page: JSON.parse(gunzipSync(item.page).toString('utf8')) as JudgedPage,
      ...(origin && { origin }),
    };
  }
}

/** The members of a page that lists show. */
export function listedMembers({ documentType, foundTable, items, summary }: JudgedPage) {
  const { byStatus, needsReview: openLines } = summary;
  return { documentType, foundTable, itemCount: items.length, byStatus, openLines };
}

export function extractionItem({ extractionId, workspaceId, createdAt, expiresAt, page, origin }: StoredExtraction) {
  const item: ExtractionItem = {
    extractionId,
    workspaceId,
    createdAt,
    ...listedMembers(page),
    page: gzipSync(JSON.stringify(page)),
    expiresAt: epochSeconds(Date.parse(expiresAt)),
    ...(origin && { origin }),
  };
  return { ...extractionKey(workspaceId, extractionId), ...item };
}
