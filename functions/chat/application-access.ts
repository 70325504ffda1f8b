import type { Route } from '../shared/http/route.ts';

/** Rights to the applications, of routes that manage them. */
export const readApplications = { tables: { applications: 'read' } } as const satisfies Route['access'];
export const writeApplications = {
  tables: { applications: 'read-write' },
  audit: true,
} as const satisfies Route['access'];
