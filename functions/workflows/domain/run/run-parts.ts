import type { Output } from '../engine/engine-events.ts';
import { RunMachine } from '../engine/run-machine.ts';
import { compiledGraph } from '../graph/compiled-graph.ts';
import { type BeginPorts, beginRun, type CheckedRun } from './begin-run.ts';
import { cancelRun, type DecidePorts } from './decide-run.ts';
import type { DriveOptions } from './drive-ports.ts';
import { type FollowPorts, followRun } from './follow-run.ts';
import { hasEnded, type RecordedRun, type RunId } from './run.ts';
import type { RunShares } from './run-shares.ts';

/** The state of a run when its stream ends. */
export interface StreamedRun {
  readonly machine: RunMachine;
  /** Number of the next entry of its record. */
  readonly nextEntry: number;
}

type Show = (outputs: readonly Output[]) => void;

/**
 * Shows a run to a repeated request: its events until now, and further ones until it ends. Going away does not cancel it.
 * @throws RunRefused 'too_many_runs'
 */
export async function replayRun(
  { head, graph, events, nextEntry }: RecordedRun,
  { deadlineMs, client }: DriveOptions & { readonly client: AbortSignal },
  ports: FollowPorts & SharePorts,
): Promise<AsyncGenerator<Output, StreamedRun>> {
  const end = hasEnded(head) ? null : await ports.shares.begin(head, head.trigger.kind);
  return shownWhile(end, async (onOutputs) => {
    const machine = new RunMachine(compiledGraph(graph));
    for (const event of events) onOutputs(machine.apply(event).outputs);
    const followed = { machine, entry: nextEntry, untilMs: deadlineMs - END_RESERVE_MS };
    return { machine, nextEntry: await followRun(head, followed, { signal: client, onOutputs }, ports) };
  });
}

interface SharePorts {
  readonly shares: Pick<RunShares, 'begin' | 'within'>;
}

export type StreamPorts = BeginPorts & FollowPorts & SharePorts & Pick<DecidePorts, 'runs' | 'leases'>;

/**
 * Runs a workflow and yields the clients' view of it as it happens, also if another function continues it.
 * @param options its deadline ends the stream, not the run.
 * @throws RunRefused 'too_many_runs'; while it runs, the reason of an aborted `signal`
 */
export async function streamRun(
  checked: CheckedRun,
  { deadlineMs, client }: DriveOptions & { readonly client: AbortSignal },
  ports: StreamPorts,
): Promise<AsyncGenerator<Output, StreamedRun>> {
  const { head } = checked;
  const end = await ports.shares.begin(head, head.trigger.kind);
  return shownWhile(end, async (onOutputs) => {
    const { machine, left, nextEntry } = await beginRun(checked, { deadlineMs, client, onOutputs }, ports);
    if (left !== 'handed_over') return { machine, nextEntry };
    const followed = { machine, entry: nextEntry, untilMs: deadlineMs - END_RESERVE_MS };
    const reached = await followRun(head, followed, { signal: client, onOutputs }, ports).catch(
      async (error: unknown) => {
        if (client.aborted) await cancelRun(head, 'client', ports);
        throw error;
      },
    );
    return { machine, nextEntry: reached };
  });
}

/**
 * The outputs of a run after its request, also those after decisions of people, until it ends or the time is over. A client that goes away
 * cancels nothing.
 * @throws while it runs, the reason of an aborted `client`
 */
export function streamLater(
  id: RunId,
  { machine, nextEntry }: StreamedRun,
  {
    untilMs,
    deadlineMs,
    client,
  }: { readonly untilMs: number; readonly deadlineMs: number; readonly client: AbortSignal },
  ports: FollowPorts,
): AsyncGenerator<Output, StreamedRun> {
  const endMs = Math.min(untilMs, deadlineMs - END_RESERVE_MS);
  const followed = { machine, entry: nextEntry, untilMs: endMs, throughWaits: true };
  return shownWhile(null, async (onOutputs) => {
    return { machine, nextEntry: await followRun(id, followed, { signal: client, onOutputs }, ports) };
  });
}

/** Yields what `work` shows while it runs. It ends by itself, and calls `end` then, whether or not anyone takes its outputs. */
function shownWhile(
  end: (() => Promise<void>) | null,
  work: (onOutputs: Show) => Promise<StreamedRun>,
): AsyncGenerator<Output, StreamedRun> {
  const pending: Output[] = [];
  let wake: () => void = () => undefined;
  let isOver = false;
  const onOutputs = (outputs: readonly Output[]) => {
    pending.push(...outputs);
    wake();
  };
  const running = work(onOutputs).finally(end);
  const settle = () => {
    isOver = true;
    wake();
  };
  void running.then(settle, settle);
  return (async function* () {
    for (;;) {
      while (pending.length > 0) yield pending.shift()!;
      if (isOver) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (pending.length > 0 || isOver) resolve();
      });
    }
    return await running;
  })();
}

/** Part of a function's time that is kept for the end of its answer. */
const END_RESERVE_MS = 2_000;
