import type { Clock } from '../../../shared/ports/clock.ts';
import type { Output } from '../engine/engine-events.ts';
import type { RunMachine } from '../engine/run-machine.ts';
import type { Pause } from './drive-run.ts';
import type { RunId } from './run.ts';
import type { Runs } from './run-ports.ts';

export interface FollowPorts {
  readonly runs: Pick<Runs, 'entriesFrom'>;
  readonly clock: Clock;
  readonly pause: Pause;
}

const POLL_INTERVAL_MS = 500;

/**
 * Follows a run that another function continues, until it ends, waits for people, or the time is over.
 * @param machine in the state that its record had before `entry`.
 */
export async function followRun(
  id: RunId,
  { machine, entry, untilMs }: { readonly machine: RunMachine; readonly entry: number; readonly untilMs: number },
  { signal, onOutputs }: { readonly signal: AbortSignal; readonly onOutputs: (outputs: readonly Output[]) => void },
  { runs, clock, pause }: FollowPorts,
): Promise<void> {
  let next = entry;
  while (machine.status === 'running' && !machine.isWaiting && clock.now() < untilMs) {
    await pause.wait(Math.min(POLL_INTERVAL_MS, untilMs - clock.now()), signal);
    signal.throwIfAborted();
    const { events, nextEntry } = await runs.entriesFrom(id, next);
    next = nextEntry;
    for (const event of events) onOutputs(machine.apply(event).outputs);
  }
}
