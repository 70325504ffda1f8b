import { table } from '../shared/access.ts';
import type { Route } from '../shared/http/route.ts';
import { health } from './schemas.ts';

export const getHealthRoute = {
  id: 'system.get-health',
  method: 'GET',
  path: '/api/v1/health',
  auth: [],
  isUnlimited: true,
  errors: 'envelope',
  doc: { summary: 'Whether the service and what it depends on work' },
  responses: {
    200: { description: 'Everything works', schema: health },
    503: { description: 'A dependency fails; `checks` says which', schema: health },
  },
  // The drug master is held in memory.
  limits: { timeoutSeconds: 10, memoryMb: 512 },
  access: [table('accounts', 'BatchGetItem', 'GetItem', 'Query'), 'runners:languages', 'drug-master'],
} as const satisfies Route;

export const getOpenapiRoute = {
  id: 'system.get-openapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  auth: [],
  errors: 'envelope',
  doc: { summary: 'This description' },
  responses: { 200: { description: 'The OpenAPI 3.1 document of every route' } },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [],
} as const satisfies Route;

export const systemRoutes: readonly Route[] = [getHealthRoute, getOpenapiRoute];
