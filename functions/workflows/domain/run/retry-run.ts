import type { EngineEvent } from '../engine/engine-events.ts';
import { RunMachine } from '../engine/run-machine.ts';
import { compiledGraph } from '../graph/compiled-graph.ts';
import type { Graph, Json } from '../graph/graph.ts';
import { type QueuePorts, queueRun, type StartPorts, startingRun } from './begin-run.ts';
import { noSuchRun } from './decide-run.ts';
import { hasEnded, type RecordedRun, type RunHead, type RunId, type RunTrigger } from './run.ts';
import type { Runs } from './run-ports.ts';
import { RunRefused } from './run-refused.ts';

export interface RetryPorts extends Omit<QueuePorts, 'runs'>, StartPorts {
  readonly runs: Pick<Runs, 'create' | 'read'>;
}

export interface RetryRequest {
  /** The node to start from; null: the one that failed. */
  readonly from: string | null;
  readonly caller: RunTrigger['caller'];
}

/**
 * Queues a run that takes over the outputs of an ended run's nodes, and performs the others: the node to start from, the nodes after it,
 * and unfinished ones. It has a separate record, in which the former run's events come first; effects of the former run are not repeated,
 * and cost nothing again.
 * @param graphOf the graph to run with; of the run itself unless the caller names another.
 * @throws RunRefused
 */
export async function retryRun(
  id: RunId,
  { from, caller }: RetryRequest,
  graphOf: (former: RecordedRun) => Promise<{ readonly workflowVersion: number | null; readonly graph: Graph }>,
  ports: RetryPorts,
): Promise<RunHead> {
  const former = await ports.runs.read(id);
  if (former === null) throw noSuchRun();
  const { head } = former;
  if (!hasEnded(head))
    throw new RunRefused(
      'not_ended',
      `The run is ${head.status}. Wait for its end, or cancel it, before it is repeated.`,
    );
  if (from === null && head.status === 'succeeded')
    throw new RunRefused('nothing_failed', 'No node of the run has failed. Name the node to start from.');
  const { graph, workflowVersion } = await graphOf(former);
  if (from !== null) requireTopNode(graph, from);
  const [begun] = former.events;
  if (begun?.type !== 'begun') throw new Error(`The record of run ${id.runId} has no start.`);
  const { sys, history, conversation } = begun.context;
  const { root: _, ...trigger } = head.trigger;
  const request = {
    ...{ workspaceId: id.workspaceId, workflowId: head.workflowId, workflowVersion, graph, inputs: begun.inputs },
    query: String(sys.query ?? ''),
    files: (sys.files ?? []) as readonly Json[],
    history,
    ...(conversation && { conversation }),
    ...(head.priority && { priority: head.priority }),
    trigger: { ...trigger, kind: 'api', caller, retryOf: id.runId, around: [] },
  } as const;
  const fresh = startingRun(request, begun.inputs, ports);
  const carried = carriedEvents(former.events.slice(1), fresh.begun, graph, from);
  return queueRun({ ...fresh, carried }, ports);
}

/** @throws RunRefused 'no_such_node' */
function requireTopNode({ nodes }: Graph, from: string): void {
  const found = nodes.find(({ id }) => id === from);
  if (found && found.parentId === null && found.type !== 'start') return;
  const names = nodes.filter(({ parentId, type }) => parentId === null && type !== 'start').map(({ id }) => id);
  throw new RunRefused(
    'no_such_node',
    `from: a run can start from nodes that are in no body, which are ${names.join(', ')}.`,
  );
}

/** Events of a former run, without those of the node to start from, the failed node, and the end. */
function carriedEvents(
  events: readonly EngineEvent[],
  begun: EngineEvent,
  graph: Graph,
  from: string | null,
): readonly EngineEvent[] {
  const machine = new RunMachine(compiledGraph(graph));
  machine.apply(begun);
  const kept: EngineEvent[] = [];
  for (const event of events) {
    if (!('key' in event) || (from !== null && isWithin(event.key, from))) continue;
    const carried = { ...event, atMs: begun.atMs, ...('cost' in event && { cost: undefined }) } as EngineEvent;
    machine.apply(carried);
    // It ended the run: its node is to be performed from its first attempt.
    if (machine.status !== 'running') return kept.filter((each) => !('key' in each) || each.key !== event.key);
    kept.push(carried);
  }
  return kept;
}

/** @param key of a node, behind the passes that it is in. */
function isWithin(key: string, node: string): boolean {
  return key === node || key.startsWith(`${node}[`);
}
