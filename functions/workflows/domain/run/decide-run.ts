import type { Clock } from '../../../shared/ports/clock.ts';
import type { PendingDecision } from '../engine/engine-events.ts';
import { restoredMachine } from './process-run.ts';
import { hasEnded, QUEUED_GRACE_MS, type RunHead, type RunId } from './run.ts';
import type { RunLeases, RunQueue, Runs } from './run-ports.ts';
import { RunRefused } from './run-refused.ts';

export interface DecidePorts {
  readonly runs: Pick<Runs, 'find' | 'read'>;
  readonly leases: Pick<RunLeases, 'decide' | 'cancel'>;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly onFault: (runId: string, error: unknown) => void;
}

export interface DecisionRequest {
  readonly decision: 'approved' | 'rejected';
  /** The key of the node that waits; null where only one does. */
  readonly key: string | null;
  readonly comment: string;
  readonly by: string;
}

/** Records a decision on a run that waits for one, and has the run go on. @throws RunRefused */
export async function decideRun(id: RunId, request: DecisionRequest, ports: DecidePorts): Promise<string> {
  const found = await ports.runs.read(id);
  if (found === null) throw noSuchRun();
  const { head } = found;
  const pending = restoredMachine(found).pendingDecisions;
  const node = waitingNode(request, head, pending);
  const nowMs = ports.clock.now();
  if (node.untilMs <= nowMs)
    throw new RunRefused(
      'approval_expired',
      `The time to decide on ${JSON.stringify(node.key)} was over on ${new Date(node.untilMs).toISOString()}.`,
    );
  const { decision, by, comment } = request;
  if (!(await ports.leases.decide(id, node.key, { decision, by, comment, atMs: nowMs }, nowMs + QUEUED_GRACE_MS)))
    throw alreadyDecided(node.key);
  await ports.queue.send([{ workspaceId: id.workspaceId, runId: id.runId }]).catch((error: unknown) => {
    // The reconciler sends what was not sent.
    ports.onFault(id.runId, error);
  });
  return node.key;
}

function waitingNode({ key }: DecisionRequest, head: RunHead, pending: readonly PendingDecision[]): PendingDecision {
  if (key !== null && head.decisions[key]) throw alreadyDecided(key);
  if (hasEnded(head)) throw new RunRefused('already_ended', `The run has ended as ${head.status}.`);
  const open = pending.filter((each) => !head.decisions[each.key]);
  const [first, ...others] = key === null ? open : open.filter((each) => each.key === key);
  if (first === undefined && key === null && pending[0]) throw alreadyDecided(pending[0].key);
  if (first === undefined)
    throw new RunRefused(
      'not_waiting',
      key === null
        ? 'The run does not wait for an approval.'
        : `The run does not wait for an approval at ${JSON.stringify(key)}.`,
    );
  if (others.length > 0)
    throw new RunRefused(
      'ambiguous_approval',
      `The run waits for several approvals. Name one as execution_key: ${open.map((each) => each.key).join(', ')}.`,
    );
  return first;
}

/** Ends a run: at once where nothing works on it, within about a second elsewhere. @throws RunRefused */
export async function cancelRun(id: RunId, by: string, ports: DecidePorts): Promise<void> {
  const head = await ports.runs.find(id);
  if (head === null) throw noSuchRun();
  if (hasEnded(head) || !(await ports.leases.cancel(id, by, ports.clock.now() + QUEUED_GRACE_MS)))
    throw new RunRefused('already_ended', 'The run has ended before. There is nothing to cancel.');
  await ports.queue.send([{ workspaceId: id.workspaceId, runId: id.runId }]).catch((error: unknown) => {
    ports.onFault(id.runId, error);
  });
}

export function noSuchRun(): RunRefused {
  return new RunRefused('not_found', 'There is no such run in your workspace, or not any more. Check the id.');
}

function alreadyDecided(key: string): RunRefused {
  return new RunRefused('already_decided', `The approval at ${JSON.stringify(key)} has been decided before.`);
}
