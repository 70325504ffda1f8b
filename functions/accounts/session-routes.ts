import { table } from '../shared/access.ts';
import type { Route } from '../shared/http/route.ts';
import { sessionList, sessionParams } from './auth-schemas.ts';

const QUICK = { timeoutSeconds: 10, memoryMb: 256 } as const;

export const listSessionsRoute = {
  id: 'accounts.list-sessions',
  method: 'GET',
  path: '/api/v1/auth/sessions',
  auth: ['jwt', 'cookie'],
  allowsUnconfirmed: true,
  errors: 'envelope',
  doc: { summary: 'Your sessions: where you are logged in', description: 'Newest first. For people only, no keys.' },
  responses: { 200: { description: 'The sessions', schema: sessionList } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const endSessionRoute = {
  id: 'accounts.end-session',
  method: 'DELETE',
  path: '/api/v1/auth/sessions/{id}',
  auth: ['jwt', 'cookie'],
  allowsUnconfirmed: true,
  errors: 'envelope',
  doc: {
    summary: 'End one of your sessions',
    description: 'Its tokens and its cookie are refused from the next request on.',
  },
  params: sessionParams,
  responses: {
    204: { description: 'The session has ended' },
    404: { description: 'session_not_found: not one of yours, or it has ended already' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem')],
} as const satisfies Route;

export const sessionRoutes: readonly Route[] = [listSessionsRoute, endSessionRoute];
