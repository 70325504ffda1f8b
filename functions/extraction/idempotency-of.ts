import type { Route } from '../shared/http/route.ts';
import { bodyHash } from '../shared/idempotency/canonical-json.ts';
import type { ExtractIdempotency } from './domain/extract.ts';

/** A call is dead for certain when its function has timed out; the margin is for clocks that differ. */
const MARGIN_SECONDS = 5;

/** What a route makes of a call's Idempotency-Key. @param body as it was parsed: the same for bodies that mean the same. */
export function idempotencyOf(
  { path, limits }: Pick<Route, 'path' | 'limits'>,
  key: string | undefined,
  body: object,
): ExtractIdempotency | null {
  if (key === undefined) return null;
  return { path, key, bodyHash: bodyHash(body), leaseSeconds: limits.timeoutSeconds + MARGIN_SECONDS };
}
