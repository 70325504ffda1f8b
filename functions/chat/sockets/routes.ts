import * as z from 'zod';
import { table } from '../../shared/access.ts';
import { ANY_CREDENTIAL, type Route } from '../../shared/http/route.ts';
import { socketConnectsLimit } from '../../shared/limits/base-limits.ts';

/** Not an endpoint itself: a new connection is checked like a request to it. */
export const connectSocketRoute = {
  id: 'chat.connect-socket',
  method: 'GET',
  path: '/api/v1/ws',
  auth: ['path-token', ...ANY_CREDENTIAL],
  scope: 'chat',
  errors: 'openai',
  doc: { summary: 'Opens a WebSocket' },
  params: z.object({ connection_id: z.string() }),
  rateLimits: [{ limit: socketConnectsLimit, per: 'caller' }],
  responses: {},
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [
    table('applications', 'GetItem'),
    table('conversations', 'DeleteItem', 'GetItem', 'PutItem', 'Query'),
    'secrets:seal',
  ],
} as const satisfies Route;

/** Function that answers a message of a client. */
export const ANSWER_MESSAGE = 'chat.answer-message';
