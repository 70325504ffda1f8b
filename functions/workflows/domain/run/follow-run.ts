import type { Clock } from '../../../shared/ports/clock.ts';
import type { Output } from '../engine/engine-events.ts';
import type { RunMachine } from '../engine/run-machine.ts';
import type { Pause } from './drive-ports.ts';
import type { RunId } from './run.ts';
import type { Runs } from './run-ports.ts';

export interface FollowPorts {
  readonly runs: Pick<Runs, 'entriesFrom'>;
  readonly clock: Clock;
  readonly pause: Pause;
}

const POLL_INTERVAL_MS = 500;
/** People take longer. */
const WAIT_INTERVAL_MS = 1_000;

/**
 * Follows a run that another function continues, until it ends, the time is over or, unless `throughWaits`, it waits for people.
 * @param machine in the state that its record had before `entry`.
 * @returns number of the next entry. @throws the reason of an aborted `signal`; the run continues
 */
export async function followRun(
  id: RunId,
  {
    machine,
    entry,
    untilMs,
    throughWaits = false,
  }: {
    readonly machine: RunMachine;
    readonly entry: number;
    readonly untilMs: number;
    readonly throughWaits?: boolean;
  },
  { signal, onOutputs }: { readonly signal: AbortSignal; readonly onOutputs: (outputs: readonly Output[]) => void },
  { runs, clock, pause }: FollowPorts,
): Promise<number> {
  let next = entry;
  while (machine.status === 'running' && (throughWaits || !machine.isWaiting) && clock.now() < untilMs) {
    const intervalMs = machine.isWaiting ? WAIT_INTERVAL_MS : POLL_INTERVAL_MS;
    await pause.wait(Math.min(intervalMs, untilMs - clock.now()), signal);
    signal.throwIfAborted();
    const { events, nextEntry } = await runs.entriesFrom(id, next);
    next = nextEntry;
    for (const event of events) onOutputs(machine.apply(event).outputs);
  }
  return next;
}
