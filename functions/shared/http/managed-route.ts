import { ANY_CREDENTIAL, type Route } from './route.ts';

/** What the routes that manage applications, workflows and channels have in common: these share a scope. */
export const managed = {
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  errors: 'envelope',
  limits: { timeoutSeconds: 20, memoryMb: 256 },
} as const satisfies Partial<Route>;
