import { gunzipSync, gzipSync } from 'node:zlib';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { JudgedPage } from '../../extraction/domain/extraction.ts';
import type { Extractions, StoredExtraction } from '../../extraction/domain/stored-extraction.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { epochSeconds, extractionKey } from './dynamo-keys.ts';

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
    const item = Item as ExtractionItem | undefined;
    if (item === undefined || item.expiresAt <= epochSeconds(this.#clock.now())) return null;
    return {
      extractionId,
      workspaceId,
      createdAt: item.createdAt,
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
