import { gunzipSync, gzipSync } from 'node:zlib';
import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { JudgedPage } from '../../extraction/domain/extraction.ts';
import type { Extractions, StoredExtraction } from '../../extraction/domain/stored-extraction.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { epochSeconds, extractionKey } from '../dynamodb/keys.ts';

/**
 * What a page says is kept gzipped: an item may hold 400 KB, and is billed by its size. Three hundred lines are about
 * 100 KB of JSON and a tenth of that zipped. Counts stay readable beside it.
 */
interface ExtractionItem extends Omit<StoredExtraction, 'page' | 'expiresAt'> {
  readonly page: Uint8Array;
  readonly documentType: string;
  readonly foundTable: boolean;
  readonly itemCount: number;
  readonly expiresAt: number;
}

/**
 * A hundred may be asked for at once; in fourths they come side by side, and 16 MB, where DynamoDB stops, are 25 of any size.
 */
const KEYS_A_CALL = 25;

export class DynamoExtractions implements Extractions {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async find(workspaceId: string, extractionId: string): Promise<StoredExtraction | null> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: extractionKey(workspaceId, extractionId),
        // Who has just got an id must find what it names.
        ConsistentRead: true,
      }),
    );
    return Item === undefined ? null : this.#read(Item as ExtractionItem);
  }

  async findAll(workspaceId: string, extractionIds: readonly string[]): Promise<ReadonlyMap<string, StoredExtraction>> {
    const ids = [...new Set(extractionIds)];
    const calls = Array.from({ length: Math.ceil(ids.length / KEYS_A_CALL) }, (_, i) =>
      ids.slice(i * KEYS_A_CALL, (i + 1) * KEYS_A_CALL),
    );
    const items = await Promise.all(calls.map((some) => this.#getAll(workspaceId, some)));
    const found = items.flat().flatMap((item) => this.#read(item) ?? []);
    return new Map(found.map((extraction) => [extraction.extractionId, extraction]));
  }

  async #getAll(workspaceId: string, ids: readonly string[]): Promise<ExtractionItem[]> {
    const items: ExtractionItem[] = [];
    let keys: Record<string, unknown>[] = ids.map((id) => extractionKey(workspaceId, id));
    // DynamoDB stops at 16 MB and names the rest; each round gets some, or fails with an error of its own.
    while (keys.length > 0) {
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetCommand({ RequestItems: { [this.#table]: { Keys: keys, ConsistentRead: true } } }),
      );
      items.push(...((Responses?.[this.#table] ?? []) as ExtractionItem[]));
      keys = UnprocessedKeys?.[this.#table]?.Keys ?? [];
    }
    return items;
  }

  #read(item: ExtractionItem): StoredExtraction | null {
    if (item.expiresAt <= epochSeconds(this.#clock.now())) return null;
    const { extractionId, workspaceId, createdAt } = item;
    return {
      extractionId,
      workspaceId,
      createdAt,
      expiresAt: new Date(item.expiresAt * 1000).toISOString(),
      page: JSON.parse(gunzipSync(item.page).toString('utf8')) as JudgedPage,
    };
  }
}

export function extractionItem({ extractionId, workspaceId, createdAt, expiresAt, page }: StoredExtraction) {
  const item: ExtractionItem = {
    extractionId,
    workspaceId,
    createdAt,
    documentType: page.documentType,
    foundTable: page.foundTable,
    itemCount: page.items.length,
    page: gzipSync(JSON.stringify(page)),
    expiresAt: epochSeconds(Date.parse(expiresAt)),
  };
  return { ...extractionKey(workspaceId, extractionId), ...item };
}
