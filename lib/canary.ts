import type { Route } from '../functions/shared/http/route.ts';

/** Alias that the API calls, so that the traffic of a new version can start with a tenth. */
export const LIVE_ALIAS = 'live';

/** Routes that programs call and pay for. All others change at once: a canary costs three resources each. */
const ROUTES: ReadonlySet<string> = new Set([
  'extraction.extract',
  'extraction.extract-batch-async',
  'chat.complete-chat',
  'chat.create-response',
  'workflows.run-workflow',
  'sandbox.execute',
  'sandbox.execute-async',
  'sandbox.execute-batch',
]);

/** Whether the API calls a route's function by its alias: with every deployment, so that `canaryMinutes` can be turned on and off. */
export function hasAlias({ id }: Pick<Route, 'id'>): boolean {
  return ROUTES.has(id);
}
