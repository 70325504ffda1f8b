import { numberField, objectField, textField } from '../graph/fields.ts';
import { type BeginPorts, beginRun, checkedRun } from '../run/begin-run.ts';
import { cancelRun } from '../run/decide-run.ts';
import type { FollowPorts } from '../run/follow-run.ts';
import { graphToRun } from '../run/graph-to-run.ts';
import {
  effectKey,
  NodeAbandoned,
  type NodeCall,
  NodeFailed,
  type NodeResult,
  type NodeSurroundings,
} from '../run/node-effects.ts';
import { restoredMachine } from '../run/process-run.ts';
import type { RunId } from '../run/run.ts';
import { RunKeyTaken, type RunLeases, type Runs } from '../run/run-ports.ts';
import { RunRefused } from '../run/run-refused.ts';
import type { RunShares } from '../run/run-shares.ts';
import type { Workflows } from '../workflow-ports.ts';
import { WorkflowRefused } from '../workflow-refused.ts';
import { filesOf } from './read-files.ts';

/** Runs of other workflows. */
export interface SubRunPorts extends BeginPorts, FollowPorts {
  readonly runs: Pick<Runs, 'create' | 'find' | 'findByKey' | 'read' | 'entriesFrom'>;
  readonly leases: BeginPorts['leases'] & Pick<RunLeases, 'decide' | 'cancel'>;
  readonly workflows: Workflows;
  readonly shares: Pick<RunShares, 'within'>;
}

/** Workflows within each other. */
export const MAX_SUB_DEPTH = 5;
/** Within one run, at any depth. */
export const MAX_RUNS_WITHIN = 50;

/**
 * Runs another workflow of the workspace, as a separate run that is started once for this node: a function that continues after a crash
 * follows it. Cancelling the node cancels the run.
 */
export async function runSubWorkflow(
  call: NodeCall,
  { signal, deadlineMs }: NodeSurroundings,
  ports: SubRunPorts,
): Promise<NodeResult> {
  const { config, run, attempt } = call;
  const id = { workspaceId: run.workspaceId, workflowId: textField(config, 'workflow_id').toLowerCase() };
  const depth = (run.trigger.depth ?? 0) + 1;
  if (depth > MAX_SUB_DEPTH)
    throw new NodeFailed(
      'too_deep',
      `Workflows run more than ${MAX_SUB_DEPTH} within each other. Call them one after another instead.`,
    );
  const around = [...(run.trigger.around ?? []), run.workflowId];
  if (around.includes(id.workflowId))
    throw new NodeFailed(
      'recursive_workflow',
      'config.workflow_id: the workflow is running already, around this node, and may not run within itself. Loop inside it, or name another one.',
    );
  const key = `${effectKey(call)}:${attempt}`;
  const counted = { workspaceId: id.workspaceId, runId: key };
  const { machine, runId } = await ports.shares.within(counted, 'workflow', ended).catch((error: unknown) => {
    if (!(error instanceof RunRefused)) throw error;
    throw new NodeFailed(error.refusal, error.message, { isPassing: true, cause: error });
  });
  const { status, failure, answer, outputs } = machine;
  if (status === 'succeeded') return { outputs: { answer, outputs, run_id: runId } };
  if (failure)
    throw new NodeFailed(failure.code, `Run ${runId}: ${failure.title ? `${failure.title}: ` : ''}${failure.message}`);
  if (status === 'cancelled') throw new NodeFailed('cancelled', `Run ${runId} was cancelled.`);
  throw new NodeFailed(
    'timeout',
    `Run ${runId} has not ended in time: it ${machine.isWaiting ? 'waits for an approval' : 'goes on'}.`,
  );

  async function ended() {
    const earlier = await ports.runs.findByKey(id.workspaceId, id.workflowId, key);
    const runId = earlier?.runId ?? (await begun());
    const machine = await followed({ workspaceId: id.workspaceId, runId }).catch(async (error: unknown) => {
      // Another function that continues the node follows the run: only a node that is given up ends it.
      const isGivenUp = signal.reason instanceof NodeAbandoned || signal.reason instanceof NodeFailed;
      if (isGivenUp) await cancelRun({ workspaceId: id.workspaceId, runId }, 'workflow', ports).catch(() => undefined);
      throw error;
    });
    return { machine, runId };
  }

  async function begun(): Promise<string> {
    try {
      const version = numberField(config, 'version', 0);
      const chosen = await graphToRun(id, version > 0 ? version : 'published', ports);
      const root = run.trigger.root ?? run.runId;
      const trigger = { ...run.trigger, kind: 'workflow', depth, around, root } as const;
      const asked = {
        inputs: objectField(config, 'inputs'),
        query: textField(config, 'query'),
        files: filesOf(config.files, 'config.files'),
        history: [],
        trigger,
        key: { key, bodyHash: '' },
      };
      const checked = checkedRun({ ...id, ...chosen, ...asked }, ports);
      const isCounted = await ports.places.countWithin(
        { workspaceId: id.workspaceId, runId: root },
        key,
        MAX_RUNS_WITHIN,
        ports.clock.now(),
      );
      if (!isCounted)
        throw new NodeFailed(
          'too_many_runs',
          `More than ${MAX_RUNS_WITHIN} runs are started within this one, at any depth. Start some of them by a trigger, or do their work in a loop.`,
        );
      await beginRun(checked, { deadlineMs, client: signal }, ports);
      return checked.head.runId;
    } catch (error) {
      if (error instanceof RunRefused || error instanceof WorkflowRefused)
        throw new NodeFailed(error.refusal, `config.workflow_id: ${error.message}`, { cause: error });
      if (!(error instanceof RunKeyTaken)) throw error;
      return (await ports.runs.findByKey(id.workspaceId, id.workflowId, key))!.runId;
    }
  }

  /** The run once it has ended, or the time of the node is over: an approval in it is waited for as long. */
  async function followed(runOf: RunId) {
    const found = await ports.runs.read(runOf);
    if (found === null) throw new NodeFailed('not_found', `Run ${runOf.runId} is gone.`);
    const machine = restoredMachine(found);
    for (let entry = found.nextEntry; machine.status === 'running' && ports.clock.now() < deadlineMs; ) {
      await ports.pause.wait(POLL_INTERVAL_MS, signal);
      signal.throwIfAborted();
      const { events, nextEntry } = await ports.runs.entriesFrom(runOf, entry);
      entry = nextEntry;
      for (const event of events) machine.apply(event);
    }
    return machine;
  }
}

const POLL_INTERVAL_MS = 500;
