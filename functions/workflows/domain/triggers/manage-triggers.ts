import type { Clock } from '../../../shared/ports/clock.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { RandomBytes } from '../../../shared/ports/random-bytes.ts';
import type { SecretBox } from '../../../shared/ports/secret-box.ts';
import type { ServiceEventType } from '../../../shared/ports/service-events.ts';
import { hashToken } from '../../../shared/secret-token.ts';
import type { Graph, Json, JsonObject } from '../graph/graph.ts';
import { startFields } from '../graph/node-fields.ts';
import { referencesIn } from '../graph/references.ts';
import { graphToRun } from '../run/graph-to-run.ts';
import type { Priority } from '../run/run.ts';
import type { WorkflowId } from '../workflow.ts';
import type { Workflows } from '../workflow-ports.ts';
import { BROUGHT, MAX_TRIGGERS, type Trigger, type TriggerId, type TriggerSource } from './trigger.ts';
import type { CronTimes, Triggers } from './trigger-ports.ts';
import { TriggerRefused } from './trigger-refused.ts';

export interface TriggerPorts {
  readonly triggers: Triggers;
  readonly workflows: Workflows;
  readonly cron: CronTimes;
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly random: RandomBytes;
  readonly ids: Ids;
  readonly clock: Clock;
}

export interface TriggerDraft {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly inputs: JsonObject;
  readonly query: string;
  readonly priority: Priority;
  readonly source:
    | { readonly kind: 'schedule'; readonly cron: string; readonly timeZone: string }
    | { readonly kind: 'webhook'; readonly auth: 'signature' | 'token' }
    | { readonly kind: 'event'; readonly event: ServiceEventType };
}

/** Null where the trigger takes no webhooks; shown once. */
export type NewSecret = { readonly kind: 'signature' | 'token'; readonly text: string } | null;

const SECRET_BYTES = 24;

/** The context for which a webhook's secret is sealed. */
export function webhookContext({ workspaceId, triggerId }: Pick<TriggerId, 'workspaceId' | 'triggerId'>): string {
  return `trigger ${workspaceId} ${triggerId}`;
}

/** @throws TriggerRefused; WorkflowRefused, RunRefused where there is no published version */
export async function createTrigger(
  workflow: WorkflowId,
  draft: TriggerDraft,
  ports: TriggerPorts,
): Promise<{ readonly trigger: Trigger; readonly secret: NewSecret }> {
  await requireFitting(workflow, draft, ports);
  if ((await ports.triggers.count(workflow.workspaceId)) >= MAX_TRIGGERS)
    throw new TriggerRefused(
      'too_many_triggers',
      `A workspace has at most ${MAX_TRIGGERS} triggers. Remove one first.`,
    );
  return storeTrigger(workflow, draft, ports);
}

/** Stores a trigger that has been checked, or is switched off: it is checked when it is switched on. */
export async function storeTrigger(
  workflow: WorkflowId,
  draft: TriggerDraft,
  ports: Pick<TriggerPorts, 'triggers' | 'cron' | 'secrets' | 'random' | 'ids' | 'clock'>,
): Promise<{ readonly trigger: Trigger; readonly secret: NewSecret }> {
  const id = { ...workflow, triggerId: ports.ids.next('trg') };
  const { source, secret } = await sourceOf(id, draft.source, ports);
  const { name, isEnabled, inputs, query, priority } = draft;
  const createdAtMs = ports.clock.now();
  const plain = {
    ...id,
    name,
    isEnabled,
    inputs,
    query,
    priority,
    source,
    createdAtMs,
    version: 1,
    lastFiredAtMs: null,
  };
  const trigger = { ...plain, dueAtMs: dueAfter(plain, createdAtMs, ports) };
  await ports.triggers.create(trigger);
  return { trigger, secret };
}

export type TriggerChange = Partial<Pick<TriggerDraft, 'name' | 'isEnabled' | 'inputs' | 'query' | 'priority'>> & {
  readonly cron?: string;
  readonly timeZone?: string;
};

/** @throws TriggerRefused; WorkflowRefused, RunRefused where there is no published version */
export async function changeTrigger(id: TriggerId, change: TriggerChange, ports: TriggerPorts): Promise<Trigger> {
  const seen = await findTrigger(id, ports);
  const { cron, timeZone, ...plain } = change;
  if ((cron !== undefined || timeZone !== undefined) && seen.source.kind !== 'schedule')
    throw new TriggerRefused('invalid_trigger', 'cron and time_zone belong to schedules. Leave them out.');
  const source =
    seen.source.kind === 'schedule'
      ? { ...seen.source, ...(cron !== undefined && { cron }), ...(timeZone !== undefined && { timeZone }) }
      : seen.source;
  const changed = { ...seen, ...plain, source, version: seen.version + 1 };
  await requireFitting(id, changed, ports);
  const isRescheduled = source !== seen.source || changed.isEnabled !== seen.isEnabled;
  const dueAtMs = isRescheduled ? dueAfter(changed, ports.clock.now(), ports) : seen.dueAtMs;
  const next = { ...changed, dueAtMs };
  if (!(await ports.triggers.replace(seen, next)))
    throw new TriggerRefused(
      'trigger_changed',
      'The trigger has changed since you read it, or has fired. Read it again, and send your change once more.',
    );
  return next;
}

/** @throws TriggerRefused */
export async function findTrigger(id: TriggerId, { triggers }: Pick<TriggerPorts, 'triggers'>): Promise<Trigger> {
  const found = await triggers.find(id);
  if (found === null)
    throw new TriggerRefused('trigger_not_found', 'Trigger not found in this workflow. Check the id.');
  return found;
}

/** @throws TriggerRefused */
export async function removeTrigger(id: TriggerId, { triggers }: Pick<TriggerPorts, 'triggers'>): Promise<void> {
  await triggers.remove(await findTrigger(id, { triggers }));
}

function dueAfter(
  { source, isEnabled }: Pick<Trigger, 'source' | 'isEnabled'>,
  nowMs: number,
  { cron }: Pick<TriggerPorts, 'cron'>,
): number | null {
  return source.kind === 'schedule' && isEnabled ? cron.next(source, nowMs) : null;
}

async function sourceOf(
  id: TriggerId,
  source: TriggerDraft['source'],
  { secrets, random }: Pick<TriggerPorts, 'secrets' | 'random'>,
): Promise<{ readonly source: TriggerSource; readonly secret: NewSecret }> {
  if (source.kind !== 'webhook') return { source, secret: null };
  const bytes = Buffer.from(random(SECRET_BYTES));
  if (source.auth === 'token') {
    const text = bytes.toString('base64url');
    return {
      source: { kind: 'webhook', auth: { kind: 'token', tokenHash: hashToken(text) } },
      secret: { kind: 'token', text },
    };
  }
  const text = `whsec_${bytes.toString('base64')}`;
  const sealedSecret = await secrets.seal(text, webhookContext(id));
  return {
    source: { kind: 'webhook', auth: { kind: 'signature', sealedSecret } },
    secret: { kind: 'signature', text },
  };
}

/** @throws TriggerRefused 'invalid_trigger', which names the field */
async function requireFitting(
  workflow: WorkflowId,
  {
    source,
    inputs,
    query,
  }: Pick<TriggerDraft, 'inputs' | 'query'> & { readonly source: TriggerDraft['source'] | TriggerSource },
  { workflows, cron }: Pick<TriggerPorts, 'workflows' | 'cron'>,
): Promise<void> {
  const fault = source.kind === 'schedule' ? cron.faultOf(source.cron, source.timeZone) : null;
  if (fault !== null) throw new TriggerRefused('invalid_trigger', fault);
  const { graph } = await graphToRun(workflow, 'published', { workflows });
  requireFields(inputs, graph);
  const known = BROUGHT[source.kind];
  for (const { text, sources } of referencesIn([inputs, query] as Json))
    for (const { node } of sources)
      if (!known.includes(node))
        throw new TriggerRefused(
          'invalid_trigger',
          `inputs: ${text} leads nowhere. A trigger of type ${source.kind} brings ${known.map((each) => `{{${each}.…}}`).join(', ')}.`,
        );
}

function requireFields(inputs: JsonObject, graph: Graph): void {
  const start = graph.nodes.find(({ type }) => type === 'start');
  const fields = start ? startFields(start) : [];
  const names = fields.map(({ name }) => name);
  for (const name of Object.keys(inputs))
    if (!names.includes(name))
      throw new TriggerRefused(
        'invalid_trigger',
        `inputs.${name}: is not a field of the start node, which has ${names.join(', ') || 'none'}.`,
      );
  const needed = fields.filter(({ name, required }) => required && !Object.hasOwn(inputs, name));
  if (needed[0])
    throw new TriggerRefused(
      'invalid_trigger',
      `inputs.${needed[0].name}: the start node needs it. Give it a value, or a reference to what the trigger brings.`,
    );
}
