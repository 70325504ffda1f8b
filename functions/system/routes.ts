import type { Route } from '../shared/http/route.ts';

export const systemRoutes: readonly Route[] = [
  {
    id: 'system.get-health',
    method: 'GET',
    path: '/api/v1/health',
    auth: 'none',
    handler: 'system/handlers/get-health',
    doc: { summary: 'Whether the service and what it depends on work' },
    responses: {
      200: { description: 'Everything works' },
      503: { description: 'A dependency fails; `checks` says which' },
    },
    limits: { timeoutSeconds: 10, memoryMb: 256 },
    access: { tables: { accounts: 'read' } },
  },
  {
    id: 'system.get-openapi',
    method: 'GET',
    path: '/api/v1/openapi.json',
    auth: 'none',
    handler: 'system/handlers/get-openapi',
    doc: { summary: 'This description' },
    responses: { 200: { description: 'The OpenAPI 3.1 document of every route' } },
    limits: { timeoutSeconds: 10, memoryMb: 256 },
    access: {},
  },
];
