import type { Route } from '../http/route.ts';
import { bodyHash } from './body-hash.ts';

/** A call that came with an Idempotency-Key. */
export interface KeyedCall {
  readonly path: string;
  readonly key: string;
  readonly bodyHash: string;
  /** How long the call may hold its key: longer than the function may run. */
  readonly leaseSeconds: number;
}

/** A call is dead for certain when its function has timed out; the margin is for clocks that differ. */
const MARGIN_SECONDS = 5;

/**
 * Applies a route's rules to a call's Idempotency-Key.
 * @param body the parsed body: equal for bodies with the same meaning.
 */
export function keyedCall(
  { path, limits }: Pick<Route, 'path' | 'limits'>,
  key: string | undefined,
  body: object,
): KeyedCall | null {
  if (key === undefined) return null;
  return { path, key, bodyHash: bodyHash(body), leaseSeconds: limits.timeoutSeconds + MARGIN_SECONDS };
}
