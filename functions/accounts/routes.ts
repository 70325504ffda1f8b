import type { Route } from '../shared/http/route.ts';

export const accountsRoutes: readonly Route[] = [
  {
    id: 'accounts.get-balance',
    method: 'GET',
    path: '/api/v1/balance',
    auth: 'api-key',
    handler: 'accounts/handlers/get-balance',
    doc: { summary: 'Prepaid balance of the workspace', description: 'Independent of any product, and never charged.' },
    responses: { 200: { description: 'The balance' } },
    limits: { timeoutSeconds: 10, memoryMb: 256 },
    access: { tables: { accounts: 'read' } },
  },
];
