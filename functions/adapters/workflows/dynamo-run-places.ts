import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Contention } from '../../shared/contention.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import { hasEnded, PRIORITIES, QUEUED_GRACE_MS, type RunHead, type RunId } from '../../workflows/domain/run/run.ts';
import type { LimitedRun, RunPlaces } from '../../workflows/domain/run/run-ports.ts';
import { ABSENT, contains, equal, missing, or, smallerThan } from '../dynamodb/expressions.ts';
import { IN_LINE, inLineKey, runKey, runPlacesKey, runPlacesPartition, runsWithinKey } from '../dynamodb/keys.ts';
import { DynamoTable, type Item, type Key } from '../dynamodb/table.ts';
import { transact } from '../dynamodb/transactions.ts';
import { expiryOf, type HeadItem } from './run-items.ts';

/** `changes` grows with each run that takes a place. */
interface PlacesItem {
  readonly runs: readonly { readonly runId: string; readonly enteredAtMs: number }[];
  readonly changes: number;
}

/** Until then a run that has entered takes its lease. */
const ENTERING_MS = 15_000;

/** Runs that take a place of one workflow at the same moment. */
const MAX_ATTEMPTS = 12;

/**
 * One item names the runs that have taken the places of a workflow. Those among them without a valid lease are ignored, so it never has to
 * be cleared. It has at most as many names as there are places, and changes with each run that enters: of two at once, one
 * tries again.
 */
export class DynamoRunPlaces implements RunPlaces {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #backoff: Backoff;

  constructor(client: DynamoDBDocumentClient, table: string, backoff: Backoff) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#backoff = backoff;
  }

  async enter(run: LimitedRun, nowMs: number, { isStored }: { readonly isStored: boolean }): Promise<number | null> {
    const { workspaceId, workflowId, runId, maxRuns } = run;
    const key = runPlacesKey(workspaceId, workflowId);
    const inLine = lineKey(run);
    let isInLine = !isStored;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const seen = await this.#table.get<PlacesItem>(key);
      const working = await this.#working(run, seen, nowMs);
      const free = maxRuns - working.length;
      const turns = free > 0 ? await this.#first(run, free) : [];
      const isTurn = free > 0 && (turns.length < free || turns.some(({ sk }) => sk >= inLine.sk));
      if (!isTurn) {
        // In line before the last look: a run that ends in between finds it there.
        if (isInLine) return free > 0 ? nowMs + QUEUED_GRACE_MS : Math.min(...working.map(({ untilMs }) => untilMs));
        await this.#table.put(lineItem(run));
        isInLine = true;
        continue;
      }
      const changes = seen?.changes ?? 0;
      const place = {
        ...key,
        runs: [...working.map(({ place }) => place), { runId, enteredAtMs: nowMs }],
        ...{ changes: changes + 1, expiresAt: expiryOf(nowMs) },
      };
      const cancelled = await transact(this.#client, [
        ['places', this.#table.putPart(place, seen === null ? ABSENT : equal('changes', changes))],
        ['line', this.#table.deletePart(inLine)],
      ]);
      if (cancelled === null) return null;
      await this.#backoff.wait(attempt);
    }
    throw new Contention();
  }

  async countWithin({ workspaceId, runId }: RunId, key: string, max: number, nowMs: number): Promise<boolean> {
    return this.#table.update(runsWithinKey(workspaceId, runId), {
      orCreate: true,
      set: { expiresAt: expiryOf(nowMs) },
      add: { keys: new Set([key]) },
      condition: or(missing('keys'), smallerThan('keys', max), contains('keys', key)),
    });
  }

  async leave(run: LimitedRun, nowMs: number): Promise<readonly RunId[]> {
    await this.#table.delete(lineKey(run));
    const seen = await this.#table.get<PlacesItem>(runPlacesKey(run.workspaceId, run.workflowId));
    const free = run.maxRuns - (await this.#working(run, seen, nowMs)).length;
    if (free <= 0) return [];
    return (await this.#first(run, free)).map(({ runId }) => ({ workspaceId: run.workspaceId, runId }));
  }

  /** The other runs that have a place, and until when without a further sign of life. */
  async #working({ workspaceId, runId }: RunHead, seen: PlacesItem | null, nowMs: number) {
    const others = (seen?.runs ?? []).filter((each) => each.runId !== runId);
    if (others.length === 0) return [];
    const heads = await this.#table.getAll<HeadItem>(others.map((each) => runKey(workspaceId, each.runId)));
    const byId = new Map(heads.map((head) => [head.runId, head]));
    return others
      .map((place) => ({ place, untilMs: placeUntilMs(place.enteredAtMs, byId.get(place.runId)) }))
      .filter(({ untilMs }) => untilMs > nowMs);
  }

  /** The first runs in line, without those that have ended there. */
  async #first({ workspaceId, workflowId }: RunHead, count: number): Promise<LineItem[]> {
    const partition = runPlacesPartition(workspaceId, workflowId);
    const found: LineItem[] = [];
    let after: Key | undefined;
    while (found.length < count) {
      const page = await this.#table.page<LineItem>({
        partition,
        prefix: IN_LINE,
        limit: count,
        ...(after && { after }),
      });
      const heads = await this.#table.getAll<HeadItem>(page.items.map(({ runId }) => runKey(workspaceId, runId)));
      const open = new Set(heads.filter((head) => !hasEnded(head)).map(({ runId }) => runId));
      for (const item of page.items)
        if (open.has(item.runId)) found.push(item);
        else await this.#table.delete({ pk: item.pk, sk: item.sk });
      if (page.last === undefined) break;
      after = page.last;
    }
    return found.slice(0, count);
  }
}

function placeUntilMs(enteredAtMs: number, head: RunHead | undefined): number {
  const enteringUntilMs = enteredAtMs + ENTERING_MS;
  if (head?.status === 'running') return Math.max(enteringUntilMs, head.leaseUntilMs);
  return head === undefined || head.status === 'queued' ? enteringUntilMs : 0;
}

interface LineItem extends Key {
  readonly runId: string;
}

export function lineItem(run: LimitedRun): Item & Key {
  return { ...lineKey(run), runId: run.runId, expiresAt: expiryOf(run.createdAtMs, run.keptDays) };
}

function lineKey({ workspaceId, workflowId, runId, priority = 'normal' }: LimitedRun): Key {
  return inLineKey(workspaceId, workflowId, PRIORITIES.indexOf(priority), runId);
}
