import * as z from 'zod';
import { table } from '../shared/access.ts';
import { envelopeOf } from '../shared/http/envelope.ts';
import { managed } from '../shared/http/managed-route.ts';
import { EVENT_BODY_LIMIT, type Route } from '../shared/http/route.ts';
import { ifMatchHeader, workflow, workflowBody, workflowParams } from './schemas.ts';

/** First member of a workflow's file: which form it has. */
export const SOURCE_FORM = 'tripod-workflow/1';
const MAX_SOURCE_LENGTH = 1_000_000;

export const sourceBody = z.strictObject({
  source: z
    .string()
    .min(1)
    .max(MAX_SOURCE_LENGTH)
    .describe(`YAML with the form ${SOURCE_FORM}, as npm run workflow -- pull writes it`),
});

/** The content of a file. Its id names the workflow that it was pulled from; the address decides. */
export const sourceContent = workflowBody.extend({ form: z.literal(SOURCE_FORM), id: z.string().optional() });

export const putSourceRoute = {
  ...managed,
  id: 'workflows.put-source',
  method: 'PUT',
  path: '/api/v1/workflows/{id}/source',
  role: 'admin',
  doc: {
    summary: 'Replace a workflow by its file',
    description:
      'Name, description and draft are those of the file, also where its graph has faults. A secret without a value keeps the stored one.',
  },
  params: workflowParams,
  headers: ifMatchHeader,
  body: sourceBody,
  bodyLimit: EVENT_BODY_LIMIT,
  responses: {
    200: { description: 'The workflow', schema: envelopeOf(workflow), headers: { etag: 'Version of the workflow' } },
    409: { description: 'name_taken, or changed: the workflow has changed since the client read it' },
    422: { description: 'invalid_dsl: no YAML; graph_too_large: more than 300 KB' },
  },
  access: [table('workflows', 'DeleteItem', 'GetItem', 'PutItem'), 'secrets:seal'],
} as const satisfies Route;
