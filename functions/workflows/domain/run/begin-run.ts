import { type DataSettingsStore, fetchableDays } from '../../../accounts/domain/data-settings.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { RandomBytes } from '../../../shared/ports/random-bytes.ts';
import {
  type EngineEvent,
  type HistoryMessage,
  NO_COST,
  type Output,
  type RunContext,
} from '../engine/engine-events.ts';
import { RunMachine } from '../engine/run-machine.ts';
import { withoutMarks } from '../engine/secret-marks.ts';
import { startInputs } from '../engine/start-inputs.ts';
import { compiledGraph } from '../graph/compiled-graph.ts';
import { toFile } from '../graph/files.ts';
import type { Graph, Json, JsonObject } from '../graph/graph.ts';
import type { Driven, DriveOptions, DrivePorts } from './drive-ports.ts';
import { driveRun } from './drive-run.ts';
import { formUrls, hasForms } from './form-links.ts';
import { type Priority, QUEUED_GRACE_MS, type RunHead, type RunTrigger } from './run.ts';
import { type LinePorts, makeRoom, takesFirstPlace } from './run-line.ts';
import type { RunKey, Runs } from './run-ports.ts';
import { invalidInputs, RunRefused } from './run-refused.ts';

/** Input for a new run. */
export interface RunRequest {
  readonly workspaceId: string;
  readonly workflowId: string;
  /** Null: the draft. */
  readonly workflowVersion: number | null;
  readonly graph: Graph;
  readonly inputs: JsonObject;
  readonly query: string;
  readonly files: readonly Json[];
  readonly history: readonly HistoryMessage[];
  /** Conversation variables as the run before left them. */
  readonly conversation?: JsonObject;
  readonly trigger: RunTrigger;
  /** By default normal. */
  readonly priority?: Priority;
  /** Of a request with an Idempotency-Key. */
  readonly key?: RunKey | null;
}

export interface BeginPorts extends DrivePorts, Pick<LinePorts, 'places'> {
  readonly runs: Pick<Runs, 'create'>;
  readonly dataSettings: DataSettingsStore;
  readonly ids: Ids;
  readonly random: RandomBytes;
  /** Address of this service in links that leave it; empty: they are paths. */
  readonly serviceUrl: string;
}

export type StartPorts = Pick<BeginPorts, 'clock' | 'ids' | 'random' | 'serviceUrl'>;

/** A run that is about to start: checked, with nothing stored. */
export interface CheckedRun {
  readonly head: RunHead;
  readonly graph: Graph;
  readonly begun: EngineEvent;
  readonly key: RunKey | null;
  /** Events carried over from a former run. */
  readonly carried?: readonly EngineEvent[];
}

const FORM_KEY_BYTES = 24;
/** Bytes of JSON that a run may start with, its history included. */
const MAX_INPUT_BYTES = 4_000_000;
const MAX_HISTORY_BYTES = 100_000;

/** @throws RunRefused 'invalid_inputs', which names the fields, and 'inputs_too_large' */
export function checkedRun(request: RunRequest, ports: StartPorts): CheckedRun {
  const { workflowId, graph } = request;
  const start = graph.nodes.find(({ type }) => type === 'start');
  if (!start) throw new Error(`Workflow ${workflowId} was stored without a start.`);
  const checked = startInputs(start, request.inputs);
  if ('issues' in checked) throw invalidInputs('Inputs of the start node', checked.issues);
  return startingRun(request, checked.values, ports);
}

/** @throws RunRefused 'inputs_too_large' */
export function startingRun(request: RunRequest, inputs: JsonObject, ports: StartPorts): CheckedRun {
  const { workspaceId, workflowId, workflowVersion, graph, trigger, query, files, priority } = request;
  const runId = ports.ids.next('run');
  const nowMs = ports.clock.now();
  const head: RunHead = {
    ...{ workspaceId, runId, workflowId, workflowVersion, trigger },
    status: 'running',
    createdAtMs: nowMs,
    finishedAtMs: null,
    leaseUntilMs: 0,
    dueAtMs: nowMs + QUEUED_GRACE_MS,
    requeues: 0,
    cancelledBy: null,
    decisions: {},
    ending: null,
    ...maxRunsOf(graph, request),
    ...(priority !== undefined && { priority }),
    ...(hasForms(graph) && { formKey: Buffer.from(ports.random(FORM_KEY_BYTES)).toString('base64url') }),
  };
  const sys = {
    run_id: runId,
    workflow_run_id: runId,
    workflow_id: workflowId,
    session_id: trigger.sessionId,
    conversation_id: trigger.sessionId,
    user_id: trigger.caller.id,
    app_id: trigger.applicationId ?? workflowId,
    dialogue_count: request.history.filter(({ role }) => role === 'user').length + 1,
    timestamp: Math.floor(nowMs / 1000),
    query,
    files: files.map((file) => toFile(file) ?? file),
    ...(hasForms(graph) && { forms: formUrls(head, graph, ports.serviceUrl) }),
  };
  const context: RunContext = {
    ...withoutMarks({ sys, history: newest(request.history) }),
    ...(request.conversation && { conversation: request.conversation }),
  };
  const begun: EngineEvent = { type: 'begun', atMs: nowMs, inputs: withoutMarks(inputs), context };
  const bytes = Buffer.byteLength(JSON.stringify(begun));
  if (bytes > MAX_INPUT_BYTES)
    throw new RunRefused(
      'inputs_too_large',
      `The inputs have ${bytes} bytes of JSON, and a run starts with at most ${MAX_INPUT_BYTES}. Send addresses instead of contents: POST /api/v1/uploads takes images.`,
    );
  return { head, graph, begun, key: request.key ?? null };
}

/** Tests of a graph take no place among its workflow’s runs, and a run within a run of its own workflow shares the place of that one. */
function maxRunsOf({ settings: { maxRuns } }: Graph, { workflowId, trigger }: RunRequest): { maxRuns?: number } {
  const hasPlace = trigger.kind === 'evaluation' || trigger.around?.includes(workflowId);
  return maxRuns === undefined || hasPlace ? {} : { maxRuns };
}

/** Starts a run, and continues it in this function, unless it waits in line for others of its workflow. */
export async function beginRun(
  checked: CheckedRun,
  options: DriveOptions,
  ports: BeginPorts,
): Promise<Driven & { readonly machine: RunMachine }> {
  const { head, graph, begun, key } = checked;
  const { workspaceId, runId } = head;
  const machine = new RunMachine(compiledGraph(graph));
  if (!(await takesFirstPlace(head, ports))) {
    await queueRun(checked, ports);
    showAll(machine.apply(begun).outputs, options);
    return { machine, left: 'handed_over', nextEntry: 1 };
  }
  const keptDays = await keptDaysOf(workspaceId, ports);
  const lease = { workspaceId, runId, fence: ports.ids.next('work'), untilMs: options.deadlineMs, keptDays };
  const leased = { ...head, keptDays, leaseUntilMs: options.deadlineMs, dueAtMs: options.deadlineMs };
  await ports.runs.create({ head: leased, graph, events: [begun], lease, key });
  const { commands, outputs } = machine.apply(begun);
  showAll(outputs, options);
  const driven = await driveRun({ lease, head, machine, commands, nextEntry: 1, isResumed: false }, options, ports);
  await makeRoom(leased, driven.left, ports);
  return { machine, ...driven };
}

export type QueuePorts = Pick<BeginPorts, 'runs' | 'dataSettings' | 'queue' | 'onFault'>;

/** Records a run for a worker to start. */
export async function queueRun(
  { head, graph, begun, key, carried = [] }: CheckedRun,
  ports: QueuePorts,
): Promise<RunHead> {
  const { workspaceId, runId } = head;
  const queued: RunHead = { ...head, keptDays: await keptDaysOf(workspaceId, ports), status: 'queued' };
  await ports.runs.create({ head: queued, graph, events: [begun, ...carried], lease: null, key });
  // It is stored, so the call succeeds: the reconciler sends unsent messages.
  await ports.queue.send([{ workspaceId, runId }]).catch((error: unknown) => ports.onFault(runId, error));
  return queued;
}

/** Records a run that cannot start, if no client waits for the refusal. */
export async function recordRefused(
  request: RunRequest,
  { refusal, message }: RunRefused,
  ports: QueuePorts & StartPorts,
): Promise<RunHead> {
  const { head, graph, begun, key } = startingRun({ ...request, query: '', files: [], history: [] }, {}, ports);
  const failure = { code: refusal, message };
  const refused: RunHead = {
    ...head,
    keptDays: await keptDaysOf(head.workspaceId, ports),
    status: 'failed',
    finishedAtMs: head.createdAtMs,
    ending: { status: 'failed', failure: { ...failure, nodeId: null }, cost: NO_COST },
  };
  const ended: EngineEvent = { type: 'given_up', atMs: begun.atMs, failure };
  await ports.runs.create({ head: refused, graph, events: [begun, ended], lease: null, key });
  return refused;
}

/** A run continues from its record, and its result may have to be fetched. */
async function keptDaysOf(workspaceId: string, { dataSettings }: Pick<BeginPorts, 'dataSettings'>): Promise<number> {
  return fetchableDays(await dataSettings.dataSettings(workspaceId));
}

function showAll(outputs: readonly Output[], { onOutputs }: DriveOptions): void {
  if (outputs.length > 0) onOutputs?.(outputs);
}

/** The newest messages that a run may carry: agents know the others from nowhere. */
function newest(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  let bytes = 0;
  const from = history.findLastIndex((message) => {
    bytes += Buffer.byteLength(JSON.stringify(message));
    return bytes > MAX_HISTORY_BYTES;
  });
  return history.slice(from + 1);
}
