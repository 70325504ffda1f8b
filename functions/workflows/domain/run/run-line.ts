import type { Clock } from '../../../shared/ports/clock.ts';
import type { Left } from './drive-ports.ts';
import type { RunHead } from './run.ts';
import type { LimitedRun, RunLeases, RunPlaces, RunQueue } from './run-ports.ts';

export interface LinePorts {
  readonly places: RunPlaces;
  readonly leases: Pick<RunLeases, 'line'>;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly onFault: (runId: string, error: unknown) => void;
}

export function isLimited(head: RunHead): head is LimitedRun {
  return head.maxRuns !== undefined;
}

/** Takes a place for a new run. @returns false where it must be queued */
export async function takesFirstPlace(
  head: RunHead,
  { places, clock }: Pick<LinePorts, 'places' | 'clock'>,
): Promise<boolean> {
  return !isLimited(head) || (await places.enter(head, clock.now(), { isStored: false })) === null;
}

/**
 * Takes a place for a stored run, before its lease. Cancelled runs end without one.
 * @returns false where the run waits in line
 */
export async function takesPlace(
  head: RunHead,
  { places, leases, clock }: Pick<LinePorts, 'places' | 'leases' | 'clock'>,
): Promise<boolean> {
  if (!isLimited(head) || head.cancelledBy !== null || head.status === 'waiting') return true;
  const nowMs = clock.now();
  if (head.status === 'running' && head.leaseUntilMs > nowMs) return true;
  const dueAtMs = await places.enter(head, nowMs, { isStored: true });
  if (dueAtMs === null) return true;
  await leases.line(head, dueAtMs);
  return false;
}

/** Resumes the runs whose turn it is once one has ended or waits for people. Where this fails, the reconciler resumes them. */
export async function makeRoom(
  head: RunHead,
  left: Left,
  { places, queue, clock, onFault }: Omit<LinePorts, 'leases'>,
): Promise<void> {
  if (!isLimited(head) || left === 'handed_over') return;
  try {
    const next = await places.leave(head, clock.now());
    if (next.length > 0) await queue.send(next);
  } catch (error) {
    onFault(head.runId, error);
  }
}
