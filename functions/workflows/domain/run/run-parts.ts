import type { Output } from '../engine/engine-events.ts';
import { RunMachine } from '../engine/run-machine.ts';
import { compiledGraph } from '../graph/compiled-graph.ts';
import { type BeginPorts, beginRun, type CheckedRun } from './begin-run.ts';
import { cancelRun, type DecidePorts } from './decide-run.ts';
import type { DriveOptions } from './drive-run.ts';
import { type FollowPorts, followRun } from './follow-run.ts';
import type { RecordedRun } from './run.ts';

/** The state of a run when its stream ends. */
export interface StreamedRun {
  readonly machine: RunMachine;
  /** False if the run continues without the stream. */
  readonly hasEnded: boolean;
}

/** Replays a run's events, and continues until it ends: for a repeated request. Going away does not cancel it. */
export async function* replayRun(
  { head, graph, events, nextEntry }: RecordedRun,
  { deadlineMs, client }: DriveOptions & { readonly client: AbortSignal },
  ports: FollowPorts,
): AsyncGenerator<Output, StreamedRun> {
  const machine = new RunMachine(compiledGraph(graph));
  for (const event of events) yield* machine.apply(event).outputs;
  const pending: Output[] = [];
  const followed = { machine, entry: nextEntry, untilMs: deadlineMs - END_RESERVE_MS };
  const onOutputs = (outputs: readonly Output[]) => void pending.push(...outputs);
  await followRun(head, followed, { signal: client, onOutputs }, ports);
  yield* pending;
  return { machine, hasEnded: machine.status !== 'running' };
}

export type StreamPorts = BeginPorts & FollowPorts & Pick<DecidePorts, 'runs' | 'leases'>;

/**
 * Runs a workflow and yields the clients' view of it as it happens, also if another function continues it.
 * @param options its deadline ends the stream, not the run.
 * @throws the reason of an aborted `signal`
 */
export async function* streamRun(
  checked: CheckedRun,
  { deadlineMs, client }: DriveOptions & { readonly client: AbortSignal },
  ports: StreamPorts,
): AsyncGenerator<Output, StreamedRun> {
  const pending: Output[] = [];
  let wake: () => void = () => undefined;
  const onOutputs = (outputs: readonly Output[]) => {
    pending.push(...outputs);
    wake();
  };
  let isOver = false;
  const running = (async () => {
    const driven = await beginRun(checked, { deadlineMs, client, onOutputs }, ports);
    const { machine, left, nextEntry } = driven;
    if (left === 'handed_over') {
      const followed = { machine, entry: nextEntry, untilMs: deadlineMs - END_RESERVE_MS };
      await followRun(checked.head, followed, { signal: client, onOutputs }, ports).catch(async (error: unknown) => {
        if (client.aborted) await cancelRun(checked.head, 'client', ports);
        throw error;
      });
    }
    return machine;
  })();
  const ended = running.then(
    () => undefined,
    () => undefined,
  );
  const settle = () => {
    isOver = true;
    wake();
  };
  void ended.then(settle);
  for (;;) {
    while (pending.length > 0) yield pending.shift()!;
    if (isOver) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (pending.length > 0 || isOver) resolve();
    });
  }
  const machine = await running;
  return { machine, hasEnded: machine.status !== 'running' };
}

/** Part of a function's time that is kept for the end of its answer. */
const END_RESERVE_MS = 2_000;
