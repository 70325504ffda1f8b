import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Recent } from '../../shared/recent.ts';
import type { Trigger, TriggerId } from '../../workflows/domain/triggers/trigger.ts';
import type { DueSchedule, Schedules, Triggers } from '../../workflows/domain/triggers/trigger-ports.ts';
import { ABSENT, and, equal } from '../dynamodb/expressions.ts';
import {
  openRunsUntil,
  SCHEDULES_PARTITION,
  scheduleKey,
  TRIGGERS,
  triggerKey,
  triggersOf,
  webhookTriggerKey,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { transactOrRetry, type Writes } from '../dynamodb/transactions.ts';

type Part = 'trigger' | 'address' | 'due' | 'moved';

/** Stores an item for each trigger, and another for the address of a webhook or the time at which a schedule is due. */
export class DynamoTriggers implements Triggers, Schedules {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  readonly #recent: Recent<readonly Trigger[]>;

  /** @param recent the triggers of workspaces that wait for events. */
  constructor(client: DynamoDBDocumentClient, table: string, recent: Recent<readonly Trigger[]>) {
    this.#recent = recent;
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async find(id: TriggerId): Promise<Trigger | null> {
    const item = await this.#table.get<Trigger & Key>(keyOf(id));
    return item && triggerOf(item);
  }

  async findWebhook(triggerId: string): Promise<Trigger | null> {
    const pointer = await this.#table.get<TriggerId>(webhookTriggerKey(triggerId));
    return pointer && this.find(pointer);
  }

  async list(workspaceId: string, workflowId: string): Promise<Trigger[]> {
    return this.#query(workspaceId, triggersOf(workflowId));
  }

  async count(workspaceId: string): Promise<number> {
    return (await this.#query(workspaceId, TRIGGERS)).length;
  }

  /** Triggers that wait for events of services, up to a few seconds old. */
  async listEvents(workspaceId: string): Promise<readonly Trigger[]> {
    const known = this.#recent.get(workspaceId);
    if (known !== null) return known;
    const keep = this.#recent.reading(workspaceId);
    const found = (await this.#query(workspaceId, TRIGGERS)).filter(({ source }) => source.kind === 'event');
    keep(found);
    return found;
  }

  async #query(workspaceId: string, prefix: string): Promise<Trigger[]> {
    const found: Trigger[] = [];
    const query = { partition: workspacePartition(workspaceId), prefix };
    for await (const item of this.#table.query<Trigger & Key>(query)) found.push(triggerOf(item));
    return found;
  }

  async create(trigger: Trigger): Promise<void> {
    const { workspaceId, workflowId, triggerId, source } = trigger;
    const address = { ...webhookTriggerKey(triggerId), workspaceId, workflowId, triggerId };
    await transactOrRetry<Part>(this.#client, [
      ['trigger', this.#table.putPart({ ...trigger, ...keyOf(trigger) }, ABSENT)],
      ...(source.kind === 'webhook' ? ([['address', this.#table.putPart(address)]] as const) : []),
      ...this.#moved(trigger, null, trigger.dueAtMs),
    ]);
    this.#recent.forget(workspaceId);
  }

  async replace(seen: Trigger, next: Trigger): Promise<boolean> {
    const unchanged = and(equal('version', seen.version), equal('dueAtMs', seen.dueAtMs));
    const cancelled = await transactOrRetry<Part>(this.#client, [
      ['trigger', this.#table.putPart({ ...next, ...keyOf(next) }, unchanged)],
      ...this.#moved(seen, seen.dueAtMs, next.dueAtMs),
    ]);
    this.#recent.forget(seen.workspaceId);
    return cancelled === null;
  }

  async remove(trigger: Trigger): Promise<void> {
    await this.#table.delete(keyOf(trigger));
    this.#recent.forget(trigger.workspaceId);
    // Without the trigger these lead nowhere: a crash in between leaves nothing that does anything.
    if (trigger.source.kind === 'webhook') await this.#table.delete(webhookTriggerKey(trigger.triggerId));
    if (trigger.dueAtMs !== null) await this.#table.delete(scheduleKey(trigger.dueAtMs, trigger.triggerId));
  }

  async *due(untilMs: number): AsyncGenerator<DueSchedule> {
    const pointers = this.#table.query<DueSchedule>({
      partition: SCHEDULES_PARTITION,
      between: [openRunsUntil(0), openRunsUntil(untilMs + 1)],
    });
    for await (const { workspaceId, workflowId, triggerId, dueAtMs } of pointers)
      yield { workspaceId, workflowId, triggerId, dueAtMs };
  }

  async advance(seen: Trigger, next: Pick<Trigger, 'dueAtMs' | 'lastFiredAtMs'>): Promise<void> {
    const { dueAtMs, lastFiredAtMs } = next;
    await transactOrRetry<Part>(this.#client, [
      [
        'trigger',
        this.#table.updatePart(keyOf(seen), {
          set: { dueAtMs, lastFiredAtMs },
          condition: equal('dueAtMs', seen.dueAtMs),
        }),
      ],
      ...this.#moved(seen, seen.dueAtMs, dueAtMs),
    ]);
  }

  async drop({ dueAtMs, triggerId }: DueSchedule): Promise<void> {
    await this.#table.delete(scheduleKey(dueAtMs, triggerId));
  }

  #moved(
    { workspaceId, workflowId, triggerId }: TriggerId,
    fromMs: number | null,
    toMs: number | null,
  ): Writes<'due' | 'moved'> {
    if (fromMs === toMs) return [];
    const pointer = { workspaceId, workflowId, triggerId, dueAtMs: toMs };
    return [
      ...(fromMs === null ? [] : ([['moved', this.#table.deletePart(scheduleKey(fromMs, triggerId))]] as const)),
      ...(toMs === null
        ? []
        : ([['due', this.#table.putPart({ ...scheduleKey(toMs, triggerId), ...pointer })]] as const)),
    ];
  }
}

function keyOf({ workspaceId, workflowId, triggerId }: TriggerId) {
  return triggerKey(workspaceId, workflowId, triggerId);
}

function triggerOf({ pk: _, sk: __, ...trigger }: Trigger & Key): Trigger {
  return trigger;
}
