import type * as z from 'zod';
import type { JsonObject } from './domain/graph/graph.ts';
import type { NewSecret, TriggerDraft } from './domain/triggers/manage-triggers.ts';
import type { Trigger } from './domain/triggers/trigger.ts';
import { receiveWebhookRoute } from './trigger-routes.ts';
import type { newTrigger, trigger, triggerBody } from './trigger-schemas.ts';

export function toTriggerDraft(body: z.output<typeof triggerBody>): TriggerDraft {
  const { name, enabled, inputs, query, priority } = body;
  return { name, isEnabled: enabled, inputs: inputs as JsonObject, query, priority, source: sourceOf(body) };
}

function sourceOf(body: z.output<typeof triggerBody>): TriggerDraft['source'] {
  switch (body.type) {
    case 'schedule':
      return { kind: 'schedule', cron: body.cron, timeZone: body.time_zone };
    case 'webhook':
      return { kind: 'webhook', auth: body.auth };
    case 'event':
      return { kind: 'event', event: body.event };
  }
}

/** @param baseUrl what a client writes before a path to reach this service. */
export function toTriggerResponse(stored: Trigger, baseUrl: string): z.output<typeof trigger> {
  const { triggerId, workflowId, name, isEnabled, inputs, query, createdAtMs, source, priority = 'normal' } = stored;
  return {
    ...{ id: triggerId, workflow_id: workflowId, type: source.kind, name, enabled: isEnabled },
    ...{ inputs: { ...inputs }, query, priority, created_at: new Date(createdAtMs).toISOString() },
    ...ofSource(stored, baseUrl),
  };
}

export function toNewTriggerResponse(
  { trigger: created, secret }: { readonly trigger: Trigger; readonly secret: NewSecret },
  baseUrl: string,
): z.output<typeof newTrigger> {
  const shown = toTriggerResponse(created, baseUrl);
  return {
    ...shown,
    ...(secret?.kind === 'token' && { url: `${shown.url}.${secret.text}` }),
    secret: secret?.kind === 'signature' ? secret.text : null,
  };
}

function ofSource({ source, triggerId, dueAtMs, lastFiredAtMs }: Trigger, baseUrl: string) {
  switch (source.kind) {
    case 'schedule':
      return {
        ...{ cron: source.cron, time_zone: source.timeZone },
        ...{ next_at: isoTime(dueAtMs), last_planned_at: isoTime(lastFiredAtMs) },
      };
    case 'webhook':
      return { auth: source.auth.kind, url: baseUrl + receiveWebhookRoute.path.replace('{trigger}', triggerId) };
    case 'event':
      return { event: source.event };
  }
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
