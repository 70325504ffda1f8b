import * as z from 'zod';
import { completionHeaders } from '../chat/completions/schemas.ts';
import { extractBody, idempotencyHeaders } from '../extraction/schemas.ts';
import { searchBody } from '../knowledge/bases/schemas.ts';
import { executionRequest } from '../sandbox/schemas.ts';
import { uuidField } from '../shared/http/uuid-field.ts';

/** Messages of the protocol, and arguments of tools. */

const id = z.union([z.string(), z.number()]);

/** The frame of a message: the protocol's library checks the rest. A list of messages is refused, as the protocol asks since 2025-06-18. */
export const message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.optional().describe('Absent in a notification'),
    method: z.string().max(200).optional().describe('initialize, server/discover, ping, tools/list, tools/call'),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage' });

export const messageHeaders = z.object({
  'content-type': z.string().optional().describe('application/json'),
  'mcp-protocol-version': z.string().optional().describe('Revision that the client speaks, such as 2026-07-28'),
  'mcp-method': z.string().optional().describe('The method of the message, since 2026-07-28'),
  'mcp-name': z.string().optional().describe('The tool of tools/call, since 2026-07-28'),
  origin: z.string().optional().describe('Sent by browsers: an origin of the service, or one that its operator names'),
});

export const reply = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.nullable(),
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .describe('Either a result or an error')
  .meta({ id: 'McpReply' });

/** As POST /api/v1/execute takes it. */
export const runProgramArguments = executionRequest;

export const readDrugTableArguments = extractBody
  .extend({
    idempotency_key: idempotencyHeaders.shape['idempotency-key'],
  })
  .meta({ oneOf: undefined });

export const searchKnowledgeArguments = z.strictObject({
  base: uuidField('Id of a knowledge base of the workspace'),
  ...searchBody.shape,
});

export const askApplicationArguments = z.strictObject({
  message: z.string().min(1, 'must not be empty').max(1_000_000).describe('What to ask, in any language'),
  session_id: completionHeaders.shape['x-session-id'].describe(
    'Keeps one history for all calls of this key that send it, for 30 days. Absent: each call is answered by itself',
  ),
  idempotency_key: completionHeaders.shape['idempotency-key'],
});
