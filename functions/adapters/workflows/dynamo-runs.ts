import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { encodeTime } from 'ulid';
import { chunks } from '../../shared/chunks.ts';
import { IDEMPOTENCY_KEPT_SECONDS } from '../../shared/idempotency/idempotency-store.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { EngineEvent } from '../../workflows/domain/engine/engine-events.ts';
import type { Graph } from '../../workflows/domain/graph/graph.ts';
import type { RecordedRun, RunHead, RunId } from '../../workflows/domain/run/run.ts';
import { isLimited } from '../../workflows/domain/run/run-line.ts';
import {
  type ListedStatus,
  type NewRun,
  type OpenRun,
  type OpenRuns,
  RunKeyTaken,
  type Runs,
} from '../../workflows/domain/run/run-ports.ts';
import { ABSENT, atMost, or } from '../dynamodb/expressions.ts';
import {
  epochSeconds,
  listedRunKey,
  OPEN_RUNS_PARTITION,
  openRunKey,
  openRunsUntil,
  RUN_ENTRIES,
  runEntryKey,
  runKey,
  runKeyKey,
  runPartition,
  workflowRunKey,
  workflowRunsPartition,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Item, type Key } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import { lineItem } from './dynamo-run-places.ts';
import { type KeptEvents, type RunContents, unpacked } from './run-contents.ts';
import { groupKey } from './run-groups.ts';
import { type EntryItem, entryItem, expiryOf, type HeadItem, headItem, headOf } from './run-items.ts';

/** A run's head and the entries of its record are in a separate partition, with pointers to it from its workflow. */
export class DynamoRuns implements Runs {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #contents: RunContents;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, contents: RunContents, clock: Clock) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#contents = contents;
    this.#clock = clock;
  }

  async create({ head, graph, events, lease, key }: NewRun): Promise<void> {
    const { workspaceId, runId, workflowId, createdAtMs, dueAtMs, keptDays } = head;
    const fence = lease?.fence ?? null;
    const entry = await entryItem(head, 0, events, { fence, graph, atMs: createdAtMs }, this.#contents);
    const pointer = { workspaceId, runId, expiresAt: expiryOf(createdAtMs, keptDays) };
    const group = groupKey(head);
    const failed = await transactOrRetry(this.#client, [
      ['head', this.#table.putPart(headItem(head, fence))],
      ['entry', this.#table.putPart(entry)],
      ['list', this.#table.putPart({ ...workflowRunKey(workspaceId, workflowId, runId), ...pointer })],
      ['open', this.#table.putPart({ ...openRunKey(dueAtMs, runId), ...pointer, dueAtMs })],
      ...(group === null ? [] : [['group', this.#table.putPart({ ...group, ...pointer })] as const]),
      // In line from the start, so that the order is that of the requests.
      ...(isLimited(head) && head.status === 'queued' ? [['line', this.#table.putPart(lineItem(head))] as const] : []),
      ...(key
        ? [
            [
              'key',
              this.#table.putPart(
                {
                  ...runKeyKey(workspaceId, keyHash(workflowId, key.key)),
                  runId,
                  bodyHash: key.bodyHash,
                  expiresAt: epochSeconds(createdAtMs) + IDEMPOTENCY_KEPT_SECONDS,
                },
                or(ABSENT, atMost('expiresAt', epochSeconds(this.#clock.now()))),
              ),
            ] as const,
          ]
        : []),
    ]);
    if (failed?.failed('key')) throw new RunKeyTaken();
    if (failed !== null) throw new Error(`Run ${runId} could not be stored.`);
  }

  async findByKey(workspaceId: string, workflowId: string, key: string) {
    const item = await this.#table.get<{ runId: string; bodyHash: string; expiresAt: number }>(
      runKeyKey(workspaceId, keyHash(workflowId, key)),
    );
    if (item === null || item.expiresAt <= epochSeconds(this.#clock.now())) return null;
    const { runId, bodyHash } = item;
    return { runId, bodyHash };
  }

  async find({ workspaceId, runId }: RunId): Promise<RunHead | null> {
    const item = await this.#table.get<HeadItem>(runKey(workspaceId, runId));
    return item === null || this.#isOver(item) ? null : headOf(item);
  }

  async read({ workspaceId, runId }: RunId): Promise<RecordedRun | null> {
    let head: HeadItem | null = null;
    let graph: Graph | null = null;
    const kept: KeptEvents[] = [];
    for await (const item of this.#table.query<Item & Key>({ partition: runPartition(workspaceId, runId) })) {
      if (!item.sk.startsWith(RUN_ENTRIES)) {
        head = item as unknown as HeadItem;
        continue;
      }
      const entry = item as unknown as EntryItem;
      if (entry.graph !== undefined) graph = unpacked<Graph>(entry.graph);
      kept.push(entry.events);
    }
    if (head === null || graph === null || this.#isOver(head)) return null;
    return { head: headOf(head), graph, events: await this.#eventsOf(kept), nextEntry: kept.length };
  }

  async entriesFrom({ workspaceId, runId }: RunId, entry: number) {
    const kept: KeptEvents[] = [];
    const query = {
      partition: runPartition(workspaceId, runId),
      between: [
        runEntryKey(workspaceId, runId, entry).sk,
        runEntryKey(workspaceId, runId, Number.MAX_SAFE_INTEGER).sk.slice(0, RUN_ENTRIES.length + 12),
      ],
    } as const;
    for await (const { events } of this.#table.query<EntryItem>(query)) kept.push(events);
    return { events: await this.#eventsOf(kept), nextEntry: entry + kept.length };
  }

  async #eventsOf(kept: readonly KeptEvents[]): Promise<EngineEvent[]> {
    const events: EngineEvent[] = [];
    for (const some of chunks(kept, OBJECTS_AT_ONCE))
      for (const read of await Promise.all(some.map((each) => this.#contents.read(each)))) events.push(...read);
    return events;
  }

  firstIdAfter(ms: number): string {
    return `run_${encodeTime(ms + 1)}${'0'.repeat(16)}`;
  }

  async list(workspaceId: string, workflowId: string, limit: number, before: string | null): Promise<RunHead[]> {
    const { items } = await this.#table.page<RunId>({
      partition: workflowRunsPartition(workspaceId, workflowId),
      descending: true,
      limit,
      ...(before !== null && { after: workflowRunKey(workspaceId, workflowId, before) }),
    });
    return this.#heads(workspaceId, items);
  }

  async listByStatus(workspaceId: string, status: ListedStatus, limit: number, before: string | null) {
    const { pk: partition, sk: prefix } = listedRunKey(workspaceId, status, '');
    const after = before !== null && { after: listedRunKey(workspaceId, status, before) };
    const { items } = await this.#table.page<RunId>({ partition, prefix, descending: true, limit, ...after });
    const heads = await this.#heads(workspaceId, items);
    return {
      runs: heads.filter((head) => head.status === status),
      last: items.length < limit ? null : items.at(-1)!.runId,
    };
  }

  /** The heads that the pointers lead to. */
  async #heads(workspaceId: string, items: readonly RunId[]): Promise<RunHead[]> {
    if (items.length === 0) return [];
    const heads: HeadItem[] = [];
    for (let from = 0; from < items.length; from += MAX_KEYS)
      heads.push(
        ...(await this.#table.getAll<HeadItem>(
          items.slice(from, from + MAX_KEYS).map(({ runId }) => runKey(workspaceId, runId)),
        )),
      );
    const byId = new Map(heads.map((item) => [item.runId, item]));
    return items.flatMap(({ runId }) => {
      const item = byId.get(runId);
      return item === undefined || this.#isOver(item) ? [] : [headOf(item)];
    });
  }

  #isOver({ expiresAt }: HeadItem): boolean {
    return expiresAt <= epochSeconds(this.#clock.now());
  }
}

function keyHash(workflowId: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([workflowId, key]))
    .digest('hex');
}

const OBJECTS_AT_ONCE = 16;
/** Limit of BatchGetItem. */
const MAX_KEYS = 100;

/** The pointers at runs that have not ended. */
export class DynamoOpenRuns implements OpenRuns {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async *list(untilMs: number): AsyncGenerator<OpenRun> {
    const pointers = this.#table.query<OpenRun>({
      partition: OPEN_RUNS_PARTITION,
      between: [openRunsUntil(0), openRunsUntil(untilMs + 1)],
    });
    for await (const { workspaceId, runId, dueAtMs } of pointers) yield { workspaceId, runId, dueAtMs };
  }

  async close({ dueAtMs, runId }: OpenRun): Promise<void> {
    await this.#table.delete(openRunKey(dueAtMs, runId));
  }
}
