import type { UsageEvent } from '../../accounts/domain/usage.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ending } from './execution.ts';
import type { ExecutionLease, ExecutionLeases } from './execution-ports.ts';
import type { RunOutcome } from './run.ts';
import type { RunCharge } from './run-charges.ts';
import { isCancelled } from './supervise-run.ts';

/** Outcome and price of a run. */
export interface CountedRun {
  readonly outcome: RunOutcome | Error;
  /** Null: it is not counted. */
  readonly usage: UsageEvent | null;
  /** Null: it is free. */
  readonly charge: RunCharge | null;
  /** Aborted when the client has gone away; absent: no client waits. */
  readonly signal?: AbortSignal | undefined;
}

/** Ends a recorded run, counts it and charges its price, in one transaction. @returns false when its lease is lost */
export async function endRun(
  lease: ExecutionLease,
  ending: Ending,
  { outcome, usage, charge, signal }: CountedRun,
  { leases, clock }: { readonly leases: Pick<ExecutionLeases, 'end' | 'endPaid'>; readonly clock: Clock },
): Promise<boolean> {
  if (charge === null) return leases.end(lease, ending, clock.now(), usage);
  const isCallersAct = signal?.aborted === true || isCancelled(outcome);
  return charge.settle(outcome, isCallersAct, (end) => leases.endPaid(lease, ending, end));
}
