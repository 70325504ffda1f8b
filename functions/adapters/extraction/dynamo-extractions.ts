import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { JudgedPage } from '../../extraction/domain/extraction.ts';
import type { Extractions, StoredExtraction } from '../../extraction/domain/stored-extraction.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { epochSeconds, extractionKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { chunks } from '../shared/chunks.ts';

/**
 * A judged page is stored gzipped: an item may hold 400 KB, and is billed by its size. Three hundred lines are about
 * 100 KB of JSON and a tenth of that zipped. Counts stay readable beside it.
 */
interface ExtractionItem extends Omit<StoredExtraction, 'page' | 'expiresAt'> {
  readonly page: Uint8Array;
  readonly documentType: string;
  readonly foundTable: boolean;
  readonly itemCount: number;
  readonly expiresAt: number;
}

/** Chunks of 25 stay under BatchGetItem's 16 MB, whatever their size; those of a job run in parallel. */
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
    return item && this.#read(item);
  }

  async findAll(workspaceId: string, extractionIds: readonly string[]): Promise<ReadonlyMap<string, StoredExtraction>> {
    const keys = [...new Set(extractionIds)].map((id) => extractionKey(workspaceId, id));
    const items = await Promise.all(
      chunks(keys, KEYS_PER_CALL).map((some) => this.#table.getAll<ExtractionItem>(some)),
    );
    const found = items.flat().flatMap((item) => this.#read(item) ?? []);
    return new Map(found.map((extraction) => [extraction.extractionId, extraction]));
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
