import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';

/** What the routes of management have in common. */
export const managed = {
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  errors: 'envelope',
  limits: { timeoutSeconds: 20, memoryMb: 256 },
} as const satisfies Partial<Route>;

export const readApplications = { tables: { applications: 'read' } } as const satisfies Route['access'];
export const writeApplications = {
  tables: { applications: 'read-write' },
  audit: true,
} as const satisfies Route['access'];
