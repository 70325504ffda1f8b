import { ANY_CREDENTIAL, type Route } from './route.ts';

/** Settings that the management routes of applications, workflows and channels have in common, their scope included. */
export const managed = {
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  errors: 'envelope',
  limits: { timeoutSeconds: 20, memoryMb: 256 },
} as const satisfies Partial<Route>;
