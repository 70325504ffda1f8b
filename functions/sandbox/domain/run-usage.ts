import { type UsageEvent, usageEvent } from '../../accounts/domain/usage.ts';
import type { RunOutcome } from './run.ts';

/** The usage of a run with an outcome; null for one without, whose time is unknown. */
export function runUsage(
  caller: { readonly workspaceId: string; readonly keyId?: string | null },
  outcome: RunOutcome | Error,
  nowMs: number,
): UsageEvent | null {
  if (outcome instanceof Error) return null;
  const { workspaceId, keyId = null } = caller;
  return usageEvent(
    { workspaceId, keyId, service: 'sandbox' },
    { sandboxMs: Math.round(outcome.seconds * 1000) },
    nowMs,
  );
}
