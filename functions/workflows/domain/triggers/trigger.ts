import type { ServiceEventType } from '../../../shared/ports/service-events.ts';
import type { JsonObject } from '../graph/graph.ts';
import type { Priority } from '../run/run.ts';
import type { WorkflowId } from '../workflow.ts';

export interface TriggerId extends WorkflowId {
  readonly triggerId: string;
}

/** Starts runs of a workflow's published version without a caller. */
export interface Trigger extends TriggerId {
  readonly name: string;
  /** A disabled one starts nothing. */
  readonly isEnabled: boolean;
  /** Values of the start node's fields, with references to what the trigger brings. */
  readonly inputs: JsonObject;
  /** {{sys.query}}, which may refer to the same. */
  readonly query: string;
  /** Of its runs; absent: normal. */
  readonly priority?: Priority;
  readonly source: TriggerSource;
  readonly createdAtMs: number;
  /** Grows with every change by a person. */
  readonly version: number;
  /** Of a schedule: the next time; null when there is none, or it is switched off. */
  readonly dueAtMs: number | null;
  readonly lastFiredAtMs: number | null;
}

export type TriggerSource =
  | { readonly kind: 'schedule'; readonly cron: string; readonly timeZone: string }
  | { readonly kind: 'webhook'; readonly auth: WebhookAuth }
  | { readonly kind: 'event'; readonly event: ServiceEventType };
export type TriggerKind = TriggerSource['kind'];

/** 'signature': as in Standard Webhooks. 'token': anyone with the address may call it. */
export type WebhookAuth =
  | { readonly kind: 'signature'; readonly sealedSecret: string }
  | { readonly kind: 'token'; readonly tokenHash: string };

export const SERVICE_EVENTS = [
  'extraction.completed',
  'batch.completed',
  'message.received',
] as const satisfies readonly ServiceEventType[];

/** Names that references in a trigger's inputs may start with. */
export const BROUGHT: Readonly<Record<TriggerKind, readonly string[]>> = {
  schedule: ['schedule'],
  webhook: ['body', 'headers', 'params'],
  event: ['event'],
};

/** Of a workspace. */
export const MAX_TRIGGERS = 100;
/** A firing that is later than this is left out: the service was down. */
export const MAX_LATE_MS = 60 * 60_000;
