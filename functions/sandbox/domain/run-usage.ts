import { type UsageEvent, usageEvent } from '../../accounts/domain/usage.ts';
import type { RunOutcome } from './run.ts';

interface RunCaller {
  readonly workspaceId: string;
  readonly keyId?: string | null;
}

/** The usage of a run with an outcome; null for one without, whose time is unknown. */
export function runUsage(caller: RunCaller, outcome: RunOutcome | Error, nowMs: number): UsageEvent | null {
  return outcome instanceof Error ? null : secondsUsage(caller, outcome.seconds, nowMs);
}

/** The usage of a program that ran this long. */
export function secondsUsage({ workspaceId, keyId = null }: RunCaller, seconds: number, nowMs: number): UsageEvent {
  return usageEvent({ workspaceId, keyId, service: 'sandbox' }, { sandboxMs: Math.round(seconds * 1000) }, nowMs);
}
