import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { shownLabels } from '../../extraction/domain/labels.ts';
import {
  type ExtractionLists,
  fits,
  type Listed,
  type ListedExtraction,
  type ListedJob,
} from '../../extraction/domain/list-extractions.ts';
import type { ExtractionOrigin } from '../../extraction/domain/stored-extraction.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import {
  EXTRACTIONS,
  epochSeconds,
  extractionKey,
  LINED_EXTRACTIONS,
  LISTED_JOBS,
  linedExtractionKey,
  linedStateKey,
  listedJobKey,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import type { LinedState } from './lined-state.ts';

/** Everything but the pages, which are much to send. */
const LISTED = [
  'extractionId',
  'createdAt',
  'documentType',
  'foundTable',
  'itemCount',
  'byStatus',
  'openLines',
  'origin',
  'expiresAt',
] as const;

type ListedItem = Omit<ListedExtraction, 'jobId' | 'fileName' | 'reference' | 'pictureStored'> & {
  readonly origin?: ExtractionOrigin;
  readonly expiresAt: number;
};

/** Items of a query: as many states as one call gets. */
const ITEMS_PER_READ = 100;
/** A filter that fits few is answered with a short page and a cursor, before it becomes slow. */
const MAX_READS = 10;

/** Lists over the partition of a workspace. */
export class DynamoExtractionLists implements ExtractionLists {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async extractions(
    workspaceId: string,
    { limit, before, ...filter }: Parameters<ExtractionLists['extractions']>[1],
  ): Promise<Listed<ListedExtraction>> {
    const entries: ListedExtraction[] = [];
    let cursor = before;
    for (let read = 0; read < MAX_READS; read++) {
      const { items, end } = await this.#older(workspaceId, cursor);
      for (const entry of items.filter((item) => fits(item, filter))) {
        entries.push(entry);
        if (entries.length > limit)
          return { entries: entries.slice(0, limit), nextCursor: entries[limit - 1]!.extractionId };
      }
      if (end === null) return { entries, nextCursor: null };
      cursor = end;
    }
    return { entries, nextCursor: cursor };
  }

  async jobs(
    workspaceId: string,
    { limit, before }: Parameters<ExtractionLists['jobs']>[1],
  ): Promise<Listed<ListedJob>> {
    const { items, last } = await this.#table.page<ListedJob & { expiresAt: number }>({
      partition: workspacePartition(workspaceId),
      prefix: LISTED_JOBS,
      descending: true,
      limit,
      ...(before !== null && { after: listedJobKey(workspaceId, before) }),
    });
    const entries = items
      .filter(({ expiresAt }) => !this.#isOver(expiresAt))
      .map(({ jobId, total, createdAt }) => ({ jobId, total, createdAt }));
    return { entries, nextCursor: last === undefined ? null : (items.at(-1)?.jobId ?? null) };
  }

  /**
   * The next extractions before an id, newest first, of both kinds: those with their page, and those settled from the workspace's line.
   * `end`: everything newer than it is included; null: everything is included.
   */
  async #older(workspaceId: string, before: string | null) {
    const [own, lined] = await Promise.all([
      this.#read(workspaceId, EXTRACTIONS, before && extractionKey(workspaceId, before)),
      this.#read(workspaceId, LINED_EXTRACTIONS, before && linedExtractionKey(workspaceId, before)),
    ]);
    const ends = [own, lined].flatMap(({ items, isLast }) => (isLast ? [] : [items.at(-1)!.extractionId]));
    const end = ends.length === 0 ? null : ends.reduce((a, b) => (a > b ? a : b));
    const settled = await this.#settled(workspaceId, lined.items);
    const items = [...own.items, ...settled]
      .filter(({ extractionId, expiresAt }) => !this.#isOver(expiresAt) && (end === null || extractionId >= end))
      .sort((a, b) => (a.extractionId > b.extractionId ? -1 : 1))
      .map(entryOf);
    return { items, end };
  }

  async #read(workspaceId: string, prefix: string, after: Key | null | '') {
    const { items, last } = await this.#table.page<ListedItem>({
      partition: workspacePartition(workspaceId),
      prefix,
      descending: true,
      limit: ITEMS_PER_READ,
      attributes: LISTED,
      ...(after && { after }),
    });
    return { items, isLast: last === undefined };
  }

  /** Waiting and dropped entries are not extractions. */
  async #settled(workspaceId: string, items: readonly ListedItem[]): Promise<readonly ListedItem[]> {
    if (items.length === 0) return [];
    const states = await this.#table.getAll<LinedState & { extractionId: string }>(
      items.map(({ extractionId }) => linedStateKey(workspaceId, extractionId)),
    );
    const settled = new Set(
      states.filter(({ status }) => status === 'settled').map(({ extractionId }) => extractionId),
    );
    return items.filter(({ extractionId }) => settled.has(extractionId));
  }

  #isOver(expiresAt: number): boolean {
    return expiresAt <= epochSeconds(this.#clock.now());
  }
}

function entryOf({ origin, expiresAt, byStatus = null, openLines = null, ...item }: ListedItem): ListedExtraction {
  const { image = null, uploadKey = null, labels } = origin ?? {};
  const pictureStored = uploadKey !== null;
  return { ...item, byStatus, openLines, jobId: image?.jobId ?? null, ...shownLabels(labels), pictureStored };
}
