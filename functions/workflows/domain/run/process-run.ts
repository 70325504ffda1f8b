import type { DecisionNotice } from '../../../accounts/domain/decision-mail.ts';
import type { Verdict } from '../../../shared/leases/lease.ts';
import { runLeased } from '../../../shared/leases/run-leased.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { Command, PendingDecision } from '../engine/engine-events.ts';
import { RunMachine } from '../engine/run-machine.ts';
import { compiledGraph } from '../graph/compiled-graph.ts';
import type { DrivePorts, LeasedWork } from './drive-ports.ts';
import { driveRun } from './drive-run.ts';
import { hasEnded, QUEUED_GRACE_MS, type RecordedRun, type RunHead, type RunId, type RunLease } from './run.ts';
import { type LinePorts, makeRoom, takesPlace } from './run-line.ts';
import type { RunLeases, Runs, SaidChange } from './run-ports.ts';

export interface ProcessPorts extends DrivePorts, Pick<LinePorts, 'places'> {
  readonly runs: Pick<Runs, 'find' | 'read'>;
  readonly leases: RunLeases;
  readonly ids: Ids;
  /** As `sayLater`. */
  readonly later: (id: RunId) => Promise<SaidChange>;
  /** As `notifyPeople`. */
  readonly notify: (head: RunHead, pending: PendingDecision) => Promise<readonly DecisionNotice[]>;
}

/**
 * Continues a run from its record, for one delivery of its message.
 * @param deadlineMs epoch time at which this worker ends for certain; its lease expires then.
 * @throws an error that another delivery may not meet
 */
export function processRun(id: RunId, deadlineMs: number, ports: ProcessPorts): Promise<Verdict> {
  const { workspaceId, runId } = id;
  const lease: RunLease = { workspaceId, runId, fence: ports.ids.next('work'), untilMs: deadlineMs };
  return runLeased<RestoredWork, never>({
    async acquire() {
      const seen = await ports.runs.find(id);
      if (seen === null) return { kind: 'ended' };
      if (hasEnded(seen)) {
        await makeRoom(seen, 'ended', ports);
        return { kind: 'ended' };
      }
      if (!(await takesPlace(seen, ports))) return { kind: 'ended' };
      if (!(await ports.leases.acquire(lease, ports.clock.now()))) {
        const found = await ports.runs.find(lease);
        return { kind: found === null || hasEnded(found) ? 'ended' : 'busy' };
      }
      const found = await ports.runs.read(lease);
      return found === null ? { kind: 'ended' } : { kind: 'acquired', work: restoredWork(lease, found) };
    },
    async run(work) {
      const notify = (pending: PendingDecision) => ports.notify(work.head, pending);
      const { left } = await driveRun(work, { deadlineMs, later: ports.later, notify }, ports);
      await makeRoom(work.head, left, ports);
      return { kind: 'recorded' };
    },
    endingOf: () => null,
    end: async () => undefined,
    release: () => ports.leases.release(lease, ports.clock.now() + QUEUED_GRACE_MS),
  });
}

export type RestoredWork = LeasedWork & Pick<RecordedRun, 'head'>;

/** Restores a run from its record, with its pending work. */
export function restoredWork(lease: RunLease, { head, graph, events, nextEntry }: RecordedRun): RestoredWork {
  const machine = restoredMachine({ graph, events });
  const commands: readonly Command[] = machine.outstanding();
  const { keptDays } = head;
  return {
    lease: { ...lease, ...(keptDays !== undefined && { keptDays }) },
    head,
    machine,
    commands,
    nextEntry,
    isResumed: true,
  };
}

export function restoredMachine({ graph, events }: Pick<RecordedRun, 'graph' | 'events'>): RunMachine {
  const machine = new RunMachine(compiledGraph(graph));
  for (const event of events) machine.apply(event);
  return machine;
}
