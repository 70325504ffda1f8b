import { bucket, queue, table } from '../shared/access.ts';
import { envelopeOf } from '../shared/http/envelope.ts';
import { managed } from '../shared/http/managed-route.ts';
import type { Route } from '../shared/http/route.ts';
import { perMinute } from '../shared/limits/base-limits.ts';
import { workflowParams } from './schemas.ts';
import {
  newTrigger,
  trigger,
  triggerBody,
  triggerChange,
  triggeredRun,
  triggerList,
  triggerParams,
  webhookParams,
} from './trigger-schemas.ts';

const invalidTrigger = {
  description: 'invalid_trigger: the message names the field and the fix; too_many_triggers: the workspace has 100',
} as const;

export const listTriggersRoute = {
  ...managed,
  id: 'workflows.list-triggers',
  method: 'GET',
  path: '/api/v1/workflows/{id}/triggers',
  doc: { summary: 'The triggers of a workflow' },
  params: workflowParams,
  responses: { 200: { description: 'All of them', schema: envelopeOf(triggerList) } },
  access: [table('workflows', 'GetItem', 'Query')],
} as const satisfies Route;

export const createTriggerRoute = {
  ...managed,
  id: 'workflows.create-trigger',
  method: 'POST',
  path: '/api/v1/workflows/{id}/triggers',
  role: 'admin',
  doc: {
    summary: 'Start runs of a workflow by a schedule, a webhook or an event',
    description:
      'A trigger runs the published version. Inputs that do not fit the start node when it fires are a run that has failed, or ' +
      'what the sender of a webhook is answered.',
  },
  params: workflowParams,
  body: triggerBody,
  responses: {
    201: { description: 'The trigger, with the secret of a webhook', schema: envelopeOf(newTrigger) },
    409: { description: 'not_published: the workflow has no published version' },
    422: invalidTrigger,
  },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'PutItem', 'Query'), 'secrets:seal'],
} as const satisfies Route;

export const changeTriggerRoute = {
  ...managed,
  id: 'workflows.change-trigger',
  method: 'PATCH',
  path: '/api/v1/workflows/{id}/triggers/{trigger}',
  role: 'admin',
  doc: { summary: 'Change a trigger, or switch it off', description: 'Runs in progress continue.' },
  params: triggerParams,
  body: triggerChange,
  responses: {
    200: { description: 'The trigger', schema: envelopeOf(trigger) },
    404: { description: 'not_found; trigger_not_found' },
    409: { description: 'trigger_changed: the trigger was changed, or fired, at the same moment; not_published' },
    422: invalidTrigger,
  },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'PutItem', 'Query')],
} as const satisfies Route;

export const removeTriggerRoute = {
  ...managed,
  id: 'workflows.remove-trigger',
  method: 'DELETE',
  path: '/api/v1/workflows/{id}/triggers/{trigger}',
  role: 'admin',
  doc: { summary: 'Remove a trigger' },
  params: triggerParams,
  responses: { 204: { description: 'Removed' }, 404: { description: 'trigger_not_found' } },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'Query')],
} as const satisfies Route;

/** Of one trigger. */
const webhooksLimit = perMinute('workflow-webhooks', 60);
export const MAX_WEBHOOK_BYTES = 256 * 1024;

export const receiveWebhookRoute = {
  id: 'workflows.receive-webhook',
  method: 'POST',
  path: '/api/v1/workflow-webhooks/{trigger}',
  auth: ['signature'],
  errors: 'envelope',
  doc: {
    summary: 'Start a run by a webhook',
    description:
      'The body is the sender’s own: JSON, a form, or text. A webhook-id, or an Idempotency-Key where there is none, starts one ' +
      'run for 24 hours. Of a trigger with auth signature, webhook-id, webhook-timestamp and webhook-signature are checked as ' +
      'Standard Webhooks has them.',
  },
  params: webhookParams,
  bodyLimit: { maxBytes: MAX_WEBHOOK_BYTES, advice: 'send an address in place of contents' },
  rateLimits: [{ limit: webhooksLimit, per: 'principal' }],
  responses: {
    202: { description: 'The run, which is queued', schema: envelopeOf(triggeredRun) },
    400: { description: 'The body is not what its content-type says' },
    401: { description: 'The token or the signature is wrong, or its timestamp 5 minutes away' },
    404: { description: 'trigger_not_found' },
    409: { description: 'trigger_off: the trigger is switched off' },
    422: { description: 'invalid_inputs: the message names the fields of the start node; inputs_too_large' },
  },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'GetItem'),
    table('runs', 'GetItem', 'PutItem'),
    table('workflows', 'GetItem', 'Query'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
    'secrets:open',
  ],
} as const satisfies Route;

export const triggerRoutes: readonly Route[] = [
  listTriggersRoute,
  createTriggerRoute,
  changeTriggerRoute,
  removeTriggerRoute,
  receiveWebhookRoute,
];
