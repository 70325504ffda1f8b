import { joinedAnswers } from '../engine/answer-texts.ts';
import type { Output } from '../engine/engine-events.ts';
import { RunMachine } from '../engine/run-machine.ts';
import { compiledGraph } from '../graph/compiled-graph.ts';
import { restoredMachine } from './process-run.ts';
import type { RecordedRun, RunHead } from './run.ts';
import type { StreamedRun } from './run-parts.ts';
import type { RunLeases, Runs } from './run-ports.ts';

export interface ConversationPorts {
  readonly runs: Pick<Runs, 'read'>;
  readonly leases: Pick<RunLeases, 'leave'>;
}

export type LeftRun = Pick<StreamedRun, 'machine'> & { readonly nextEntry: number | null };

/**
 * The outputs of a run for its conversation. Where the stream ends before the run, the later answers are said in the conversation: those of a run
 * that ends at this very moment are in the stream.
 * @returns the run as it was left; `nextEntry` null: nothing of it is left to follow
 */
export async function* streamForConversation(
  head: RunHead,
  streamed: AsyncGenerator<Output, StreamedRun>,
  { runs, leases }: ConversationPorts,
): AsyncGenerator<Output, LeftRun> {
  const left = yield* streamed;
  const { machine } = left;
  const shown = machine.answers.length;
  if (machine.status !== 'running' || head.trigger.conversation === undefined) return left;
  if (await leases.leave(head, shown)) return left;
  const found = await runs.read(head);
  if (found === null) return left;
  const ended = restoredMachine(found);
  const text = ended.answer.slice(joinedAnswers(found.graph, ended.answers.slice(0, shown)).length);
  if (text !== '') yield { kind: 'text', text };
  return { machine: ended, nextEntry: null };
}

/** The answers of a run as an earlier attempt at the same message has left it. */
export async function* streamAsLeft({ head, graph, events }: RecordedRun): AsyncGenerator<Output, LeftRun> {
  const said = head.said ?? 0;
  const machine = new RunMachine(compiledGraph(graph));
  for (const event of events) {
    machine.apply(event);
    if (machine.isWaiting && machine.answers.length >= said) break;
  }
  const text = joinedAnswers(graph, machine.answers.slice(0, said));
  if (text !== '') yield { kind: 'text', text };
  return { machine, nextEntry: null };
}
