import * as z from 'zod';
import { bucket, queue, table } from '../shared/access.ts';
import { envelopeOf } from '../shared/http/envelope.ts';
import { managed } from '../shared/http/managed-route.ts';
import type { Route } from '../shared/http/route.ts';
import { decided, formActions, runParams, submitBody } from './schemas.ts';

const formRefused = {
  409: {
    description: 'not_waiting, already_decided, form_expired, already_ended; ambiguous_approval: name execution_key',
  },
  422: { description: 'invalid_inputs: the message names the fields of the form' },
} as const;

export const submitRunRoute = {
  ...managed,
  id: 'workflows.submit-run',
  method: 'POST',
  path: '/api/v1/runs/{id}/submit',
  role: 'admin',
  doc: {
    summary: 'Answer a form that a run waits for',
    description: 'Its fields are outputs of its node; the run continues at the chosen action.',
  },
  params: runParams,
  body: submitBody,
  responses: { 200: { description: 'Accepted: the run continues', schema: envelopeOf(decided) }, ...formRefused },
  access: [
    table('runs', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
  ],
} as const satisfies Route;

export const formParams = z.object({
  form: z.string().max(1_000).describe('As the url of a pending form has it'),
});
export const formShown = z
  .object({
    title: z.string(),
    message: z.unknown(),
    fields: z.array(z.record(z.string(), z.unknown())),
    actions: formActions,
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'WorkflowForm' });

/** Of browsers: the form of the answer, and the language of the page. */
const pageHeaders = z.object({
  accept: z.string().optional(),
  'accept-language': z.string().optional().describe('ko: a page in Korean; otherwise in English'),
  'content-type': z.string().optional(),
});

/** Approvals and forms for people without an account. The address is the credential. */
const linked = {
  path: '/api/v1/forms/{form}',
  auth: [],
  errors: 'envelope',
  params: formParams,
  limits: { timeoutSeconds: 20, memoryMb: 256 },
} as const satisfies Partial<Route>;

export const getFormRoute = {
  ...linked,
  id: 'workflows.get-form',
  method: 'GET',
  headers: pageHeaders,
  doc: {
    summary: 'An approval or a form, by its link',
    description: 'Browsers get a page to fill in, also where the link is used, expired or wrong.',
  },
  responses: {
    200: { description: 'The form', schema: envelopeOf(formShown) },
    404: { description: 'not_found: no such form' },
    409: formRefused[409],
  },
  access: [table('runs', 'GetItem', 'Query'), bucket('runs', 'GetObject')],
} as const satisfies Route;

export const answerFormRoute = {
  ...linked,
  id: 'workflows.answer-form',
  method: 'POST',
  headers: pageHeaders,
  doc: {
    summary: 'Answer an approval or a form, by its link',
    description:
      'The body is an object with the values of the fields, and the id of the chosen `action`: of an approval `approved` or ' +
      '`rejected`, with a `comment`. The page sends the same as a form.',
  },
  bodyLimit: { maxBytes: 256 * 1024, advice: 'send an address in place of contents' },
  responses: {
    200: { description: 'Accepted: the run continues', schema: envelopeOf(z.null()) },
    400: { description: 'The body is neither JSON nor a form' },
    404: { description: 'not_found: no such form' },
    ...formRefused,
  },
  access: [
    table('runs', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
  ],
} as const satisfies Route;

export const formRoutes: readonly Route[] = [submitRunRoute, getFormRoute, answerFormRoute];
