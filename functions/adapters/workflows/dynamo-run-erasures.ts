import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { RunErasures, RunSession } from '../../workflows/domain/run/erase-run.ts';
import { hasEnded, type RunId } from '../../workflows/domain/run/run.ts';
import { isLimited } from '../../workflows/domain/run/run-line.ts';
import { ABSENT } from '../dynamodb/expressions.ts';
import {
  epochSeconds,
  listedRunKey,
  openRunKey,
  RUN_ENTRIES,
  RUNS_WITHIN,
  runEntryKey,
  runKey,
  runPartition,
  runPlacesPartition,
  runsWithinKey,
  sessionRunsPartition,
  workflowRunKey,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Key, type Query } from '../dynamodb/table.ts';
import { lineItem } from './dynamo-run-places.ts';
import { groupKey, sessionHash } from './run-groups.ts';
import { type EntryItem, type HeadItem, headOf } from './run-items.ts';

/** The writer of an entry that ends the record of an erased run. */
const ERASURE = 'erasure';
/** Longer than any function lives. */
const FENCE_SECONDS = 60 * 60;

/** Erases what DynamoRuns and DynamoRunLeases store. Large values are unreadable without the keys in the entries. */
export class DynamoRunErasures implements RunErasures {
  readonly #table: DynamoTable;
  readonly #ports: { readonly backoff: Backoff; readonly clock: Clock };

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    ports: { readonly backoff: Backoff; readonly clock: Clock },
  ) {
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  within({ workspaceId, runId }: RunId): AsyncIterable<RunId> {
    return this.#pointers({ partition: runPlacesPartition(workspaceId, runId), prefix: RUNS_WITHIN });
  }

  async *ofSession(session: RunSession): AsyncIterable<RunId> {
    const { workspaceId } = session;
    for await (const run of this.#pointers({ partition: sessionRunsPartition(workspaceId, sessionHash(session)) })) {
      yield* this.within(run);
      yield run;
    }
  }

  async *#pointers(query: Query): AsyncGenerator<RunId> {
    for await (const { workspaceId, runId } of this.#table.query<RunId>(query)) yield { workspaceId, runId };
  }

  /** The head after the texts, and the pointers to it last: what a crash leaves is found again. */
  async erase({ workspaceId, runId }: RunId): Promise<void> {
    const { backoff } = this.#ports;
    const item = await this.#table.get<HeadItem>(runKey(workspaceId, runId));
    const head = item && headOf(item);
    if (head !== null && !hasEnded(head)) await this.#endRecord(head);
    const entries: Key[] = [];
    for await (const { pk, sk, owner } of this.#entries({ workspaceId, runId }))
      if (owner !== ERASURE) entries.push({ pk, sk });
    await this.#table.deleteAll(entries, backoff);
    if (head === null) return;
    await this.#table.deleteAll(
      [
        workflowRunKey(workspaceId, head.workflowId, runId),
        openRunKey(head.dueAtMs, runId),
        listedRunKey(workspaceId, 'failed', runId),
        listedRunKey(workspaceId, 'cancelled', runId),
        listedRunKey(workspaceId, 'waiting', runId),
        runsWithinKey(workspaceId, runId),
        ...(isLimited(head) ? [lineItem(head)] : []),
      ],
      backoff,
    );
    await this.#table.delete(runKey(workspaceId, runId));
    const pointer = groupKey(head);
    if (pointer !== null) await this.#table.delete(pointer);
  }

  /** Takes the place of the next entry: a function that has the lease finds another writer's there, and has lost it. */
  async #endRecord({ workspaceId, runId }: RunId): Promise<void> {
    const expiresAt = epochSeconds(this.#ports.clock.now()) + FENCE_SECONDS;
    for (;;) {
      let next = 0;
      for await (const { sk } of this.#entries({ workspaceId, runId })) next = Number(sk.slice(RUN_ENTRIES.length)) + 1;
      const entry = { ...runEntryKey(workspaceId, runId, next), owner: ERASURE, events: '[]', expiresAt };
      if ((await this.#table.put(entry, ABSENT)).written) return;
    }
  }

  #entries({ workspaceId, runId }: RunId): AsyncGenerator<Pick<EntryItem, 'pk' | 'sk' | 'owner'>> {
    const partition = runPartition(workspaceId, runId);
    return this.#table.query({ partition, prefix: RUN_ENTRIES, attributes: ['pk', 'sk', 'owner'] });
  }
}
