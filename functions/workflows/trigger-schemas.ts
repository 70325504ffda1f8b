import * as z from 'zod';
import { nameField } from '../shared/http/name-field.ts';
import { SERVICE_EVENTS } from './domain/triggers/trigger.ts';
import { priority, workflowParams } from './schemas.ts';

const values = z.record(z.string(), z.unknown());
const triggerId = /^trg_[0-9A-Z]{26}$/;
export const triggerParams = workflowParams.extend({
  trigger: z.string().regex(triggerId, 'must be the id of a trigger'),
});
export const webhookParams = z.object({
  trigger: z
    .string()
    .regex(/^trg_[0-9A-Z]{26}(\.[\w-]{32})?$/, 'must be as the url of the trigger has it')
    .describe('The trigger’s id; behind a dot its secret token, where it has one'),
});

const begun = {
  name: nameField(100),
  enabled: z.boolean().default(true),
  inputs: values
    .default({})
    .describe(
      'Values of the start node’s fields. May refer to what the trigger brings: {{schedule.planned_at}}; {{body.…}}, ' +
        '{{headers.…}}, {{params.…}} of a webhook; {{event.…}}',
    ),
  query: z.string().max(10_000).default('').describe('{{sys.query}}; may refer to the same'),
  priority: priority.default('normal'),
};
const cron = z.string().max(200).describe('Five fields: minute, hour, day of the month, month, day of the week');
const timeZone = z.string().max(100).describe('Of the IANA list, such as Asia/Seoul');
const auth = z
  .enum(['signature', 'token'])
  .describe('signature: signed as Standard Webhooks has it; token: the address holds a secret');
const event = z.enum(SERVICE_EVENTS);

export const triggerBody = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('schedule'), ...begun, cron, time_zone: timeZone.default('UTC') })
      .meta({ id: 'WorkflowScheduleBody' }),
    z
      .strictObject({ type: z.literal('webhook'), ...begun, auth: auth.default('signature') })
      .meta({ id: 'WorkflowWebhookBody' }),
    z.strictObject({ type: z.literal('event'), ...begun, event }).meta({ id: 'WorkflowEventTriggerBody' }),
  ])
  .meta({ id: 'WorkflowTriggerBody' });

export const triggerChange = z
  .strictObject({
    name: begun.name.optional(),
    enabled: z.boolean().optional().describe('false switches it off'),
    inputs: values.optional(),
    query: z.string().max(10_000).optional(),
    priority: priority.optional(),
    cron: cron.optional().describe('Of a schedule'),
    time_zone: timeZone.optional().describe('Of a schedule'),
  })
  .meta({ minProperties: 1 });

export const trigger = z
  .object({
    id: z.string(),
    workflow_id: z.string(),
    type: z.enum(['schedule', 'webhook', 'event']),
    name: z.string(),
    enabled: z.boolean(),
    inputs: values,
    query: z.string(),
    priority,
    created_at: z.iso.datetime(),
    cron: z.string().optional(),
    time_zone: z.string().optional(),
    next_at: z.iso.datetime().nullable().optional().describe('Of a schedule; null while it is switched off'),
    last_planned_at: z.iso.datetime().nullable().optional().describe('The newest time that it has started a run for'),
    auth: auth.optional(),
    url: z.string().optional().describe('Address of a webhook; its token is shown once'),
    event: event.optional(),
  })
  .meta({ id: 'WorkflowTrigger' });
export const newTrigger = trigger.extend({
  secret: z.string().nullable().describe('What webhooks are signed with, shown once; null of any other trigger'),
});
export const triggerList = z.object({ triggers: z.array(trigger).describe('Oldest first') });
export const triggeredRun = z.object({ run_id: z.string() });
