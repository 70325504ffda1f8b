import { authProblems, commonProblems } from '../shared/http/problem-schema.ts';
import type { Route } from '../shared/http/route.ts';
import { balance } from './schemas.ts';

export const getBalanceRoute = {
  id: 'accounts.get-balance',
  method: 'GET',
  path: '/api/v1/balance',
  auth: 'api-key',
  handler: 'accounts/handlers/get-balance',
  doc: { summary: 'Prepaid balance of the workspace', description: 'Independent of any product, and never charged.' },
  responses: { 200: { description: 'The balance', schema: balance }, ...authProblems, ...commonProblems },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: { tables: { accounts: 'read' } },
} as const satisfies Route;

export const accountsRoutes: readonly Route[] = [getBalanceRoute];
