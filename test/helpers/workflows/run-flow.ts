import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf, usageReport } from '../../../functions/accounts/domain/usage.ts';
import { DynamoUsage } from '../../../functions/adapters/accounts/dynamo-usage.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { DynamoRunLeases } from '../../../functions/adapters/workflows/dynamo-run-leases.ts';
import { DynamoRunPlaces } from '../../../functions/adapters/workflows/dynamo-run-places.ts';
import { DynamoOpenRuns, DynamoRuns } from '../../../functions/adapters/workflows/dynamo-runs.ts';
import { RunContents } from '../../../functions/adapters/workflows/run-contents.ts';
import type { PendingDecision } from '../../../functions/workflows/domain/engine/engine-events.ts';
import type { Graph, JsonObject } from '../../../functions/workflows/domain/graph/graph.ts';
import { beginRun, checkedRun, queueRun } from '../../../functions/workflows/domain/run/begin-run.ts';
import { cancelRun, decideRun } from '../../../functions/workflows/domain/run/decide-run.ts';
import { type LaterPorts, sayLater } from '../../../functions/workflows/domain/run/later-answers.ts';
import { effectKey, type NodeCall, type NodeEffects } from '../../../functions/workflows/domain/run/node-effects.ts';
import { notifyPeople, type StaffMessage } from '../../../functions/workflows/domain/run/notify-people.ts';
import { processRun } from '../../../functions/workflows/domain/run/process-run.ts';
import { reconcileRuns } from '../../../functions/workflows/domain/run/reconcile-runs.ts';
import type { Priority, RunHead, RunId, RunTrigger } from '../../../functions/workflows/domain/run/run.ts';
import type { OpenRuns } from '../../../functions/workflows/domain/run/run-ports.ts';
import { runView } from '../../../functions/workflows/domain/run/run-view.ts';
import { testClock } from '../clock.ts';
import { type EmbeddedDynamo, TABLES } from '../embedded-dynamo.ts';
import { defaultDataSettings, instantBackoff, memoryBucket } from '../fakes.ts';
import { type Fault, faultyPorts, type Interleaved } from '../faulty-ports.ts';

const FUNCTION_SECONDS = 290;

/** The surroundings of several flows whose runs belong to one workflow. */
export interface SharedFlow {
  readonly workspaceId: string;
  readonly clock: ReturnType<typeof testClock>;
  readonly messages: RunId[];
  /** How often each effect was brought about; by its key one that knows keys does it once. */
  readonly done: Map<string, JsonObject>;
}

/** The conversation of a flow's runs. */
export interface Voice {
  /** Stores that `say` writes to; their calls meet the fault, too. */
  readonly stores: object;
  readonly conversation: RunTrigger | null;
  readonly say: (...said: [...Parameters<LaterPorts['say']>, ports: object]) => Promise<void>;
  /** Writes to a channel of the staff. */
  readonly write?: (message: StaffMessage, ports: object) => Promise<boolean>;
}

export function sharedFlow(): SharedFlow {
  return { workspaceId: `ws_${randomBytes(8).toString('hex')}`, clock: testClock(), messages: [], done: new Map() };
}

/** A run of a graph over the embedded DynamoDB, with effects that count what they do, and a queue in memory. */
export function runFlow(
  dynamo: EmbeddedDynamo,
  graph: Graph,
  outputsOf: (call: NodeCall) => JsonObject | Promise<JsonObject>,
  {
    shared = sharedFlow(),
    priority = 'normal',
    voice = { stores: {}, conversation: null, say: async () => undefined },
  }: { shared?: SharedFlow; priority?: Priority; voice?: Voice } = {},
) {
  const { clock, workspaceId, messages, done } = shared;
  const asked: string[] = [];
  const effects: NodeEffects = {
    async perform(call) {
      const key = effectKey(call);
      asked.push(key);
      const known = done.get(key);
      const outputs = known ?? (await outputsOf(call));
      done.set(key, outputs);
      return { outputs, cost: { promptTokens: 5, completionTokens: 2 } };
    },
  };
  const bucket = memoryBucket();
  const contents = new RunContents(bucket.large);
  const base = {
    runs: new DynamoRuns(dynamo.client, TABLES.runs, contents, clock),
    leases: new DynamoRunLeases(dynamo.client, TABLES.runs, TABLES.usage, {
      ...{ contents, backoff: instantBackoff, clock },
      outboxTable: TABLES.accounts,
    }),
    places: new DynamoRunPlaces(dynamo.client, TABLES.runs, instantBackoff),
    queue: { send: async (ids: readonly RunId[]) => void messages.push(...ids) },
    effects,
    ...voice.stores,
  };
  const allOpenRuns = new DynamoOpenRuns(dynamo.client, TABLES.runs);
  const openRuns: OpenRuns = {
    /** Those of this flow: the others of a test file have other graphs. */
    async *list(untilMs) {
      for await (const run of allOpenRuns.list(untilMs)) if (run.workspaceId === workspaceId) yield run;
    },
    close: (run) => allOpenRuns.close(run),
  };
  const calm = {
    ids: ulidIds,
    clock,
    random: randomBytes,
    serviceUrl: 'https://tripod.example',
    pause: {
      wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
    },
    onFault: () => undefined,
    dataSettings: defaultDataSettings,
  };
  const deadlineMs = () => clock.now() + FUNCTION_SECONDS * 1000;
  const trigger: RunTrigger = voice.conversation ?? {
    ...({ kind: 'api', caller: { kind: 'key', id: 'k' }, applicationId: null, sessionId: null } as const),
  };
  const request = {
    ...{
      workspaceId,
      workflowId: 'wf',
      workflowVersion: 1,
      graph,
      inputs: {},
      query: '',
      files: [],
      history: [],
      ...{ trigger, priority },
    },
  };
  let runId: string | null = null;

  type Ports = typeof base & typeof calm;
  /**
   * Does something through ports; one of their calls meets the fault.
   * @returns the calls
   */
  async function walked(
    work: (ports: Ports) => Promise<unknown>,
    fault: Fault | null = null,
    at: number | string = -1,
  ) {
    const { ports, calls } = faultyPorts(base, fault, at);
    await work({ ...ports, ...calm }).catch(() => undefined);
    return calls;
  }

  type How = readonly [fault?: Fault | null, at?: number | string];
  const checked = () => {
    const run = checkedRun(request, calm);
    runId = run.head.runId;
    return run;
  };
  /** In the function of the request. */
  const begin = (...how: How) => walked((ports) => beginRun(checked(), { deadlineMs: deadlineMs() }, ports), ...how);
  /** For a worker. */
  const queue = (...how: How) => walked((ports) => queueRun(checked(), ports), ...how);
  const approval = { decision: 'approved', key: null, comment: '', by: 'user' } as const;

  /** Delivers one message. */
  async function deliver(
    fault: Fault | Interleaved | null = null,
    at: number | string = -1,
  ): Promise<readonly string[]> {
    const id = messages.shift();
    if (id === undefined) return [];
    const { ports, calls } = faultyPorts(base, fault, at);
    const say = (...said: Parameters<LaterPorts['say']>) => voice.say(...said, ports);
    const later = (run: RunId) => sayLater(run, { runs: ports.runs, say });
    const write = async (message: StaffMessage) => (await voice.write?.(message, ports)) ?? false;
    const notify = (...waiting: [RunHead, PendingDecision]) => notifyPeople(...waiting, { ...calm, write });
    const verdict = await processRun(id, deadlineMs(), { ...ports, ...calm, later, notify }).catch(() => 'retry');
    if (verdict === 'retry') messages.push(id);
    return calls;
  }

  const id = (): RunId => ({ workspaceId, runId: runId! });

  return {
    base,
    bucket,
    done,
    asked,
    clock,
    messages,
    begin,
    queue,
    deliver,
    approve: () => decideRun(id(), approval, { ...base, ...calm }),
    approveWith: (...how: How) => walked((ports) => decideRun(id(), approval, ports), ...how),
    /** The request of the run ends, with its answers until then. */
    leave: (said: number) => base.leases.leave(id(), said),
    cancelWith: (...how: How) => walked((ports) => cancelRun(id(), 'user', ports), ...how),
    reconcileWith: (...how: How) => walked((ports) => reconcileRuns({ ...ports, openRuns }), ...how),
    /** Lets all leases expire, and everything continue that can. */
    async settle(): Promise<void> {
      for (let round = 0; round < 20; round++) {
        const head = await base.runs.find(id());
        if (head === null || head.finishedAtMs !== null) return;
        if (head.status === 'waiting') return;
        clock.advance(600);
        await reconcileRuns({ ...base, ...calm, openRuns });
        for (let delivery = 0; messages.length > 0 && delivery < 5; delivery++) await deliver();
      }
    },
    /** One round of the reconciler, and of the messages that it sends. */
    async reconcile(): Promise<void> {
      await reconcileRuns({ ...base, ...calm, openRuns });
      for (let delivery = 0; messages.length > 0 && delivery < 5; delivery++) await deliver();
    },
    async stored() {
      const found = await base.runs.read(id());
      return found && { head: found.head, view: runView(found) };
    },
    /** The usage counted for the workspace. */
    async usage() {
      const today = dayOf(clock.now());
      const usage = new DynamoUsage(dynamo.client, TABLES.usage, instantBackoff);
      const from = dayOf(clock.now() - 7 * 24 * 3_600_000);
      return (await usageReport(usage.counts(workspaceId, from, today), 'key')).total;
    },
    openRuns: async () => {
      const open: RunId[] = [];
      for await (const run of openRuns.list(Number.MAX_SAFE_INTEGER)) open.push(run);
      return open;
    },
  };
}
