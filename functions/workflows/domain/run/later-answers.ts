import { joinedAnswers } from '../engine/answer-texts.ts';
import type { Output } from '../engine/engine-events.ts';
import { RunMachine } from '../engine/run-machine.ts';
import { compiledGraph } from '../graph/compiled-graph.ts';
import type { JsonObject } from '../graph/graph.ts';
import type { RecordedRun, RunHead, RunId } from './run.ts';
import type { Runs, SaidChange } from './run-ports.ts';

/** An answer of a run after the end of its request, as after the decision of a person. */
export interface LaterAnswer {
  /** The same for a repetition after a crash. */
  readonly key: string;
  /** Empty if the run has failed without a text, or was cancelled. */
  readonly text: string;
  /** Files of the answers, as events describe them. */
  readonly files: readonly JsonObject[];
  readonly hasFailed: boolean;
}

export interface LaterPorts {
  readonly runs: Pick<Runs, 'read'>;
  /** Says an answer in the conversation of a run, once for each key. */
  readonly say: (head: RunHead, answer: LaterAnswer) => Promise<void>;
}

/**
 * Says the answers of a run that its conversation does not have.
 * @throws errors of the stores: it may be repeated, and says nothing twice.
 */
export async function sayLater(id: RunId, { runs, say }: LaterPorts): Promise<SaidChange> {
  const found = await runs.read(id);
  const said = found?.head.said;
  if (!found || said === undefined) return { before: null, after: null };
  const { answer, answers } = laterAnswer(found, said);
  if (answer !== null) await say(found.head, answer);
  return { before: said, after: answers };
}

/** @param said answers that the conversation has. @returns `answers`: all that the run has given */
function laterAnswer(
  { head, graph, events }: RecordedRun,
  said: number,
): { readonly answer: LaterAnswer | null; readonly answers: number } {
  const machine = new RunMachine(compiledGraph(graph));
  const files: JsonObject[] = [];
  for (const event of events) {
    const { outputs } = machine.apply(event);
    if (machine.answers.length > said) files.push(...outputs.flatMap(fileOf));
  }
  const text = joinedAnswers(graph, machine.answers.slice(said));
  const hasFailed = machine.status === 'failed' || machine.status === 'cancelled';
  const answers = machine.answers.length;
  if (text === '' && files.length === 0 && !hasFailed) return { answer: null, answers };
  return { answer: { key: `${head.runId} ${said}`, text, files, hasFailed }, answers };
}

function fileOf(output: Output): JsonObject[] {
  return output.kind === 'event' && output.type === 'message_file' ? [output.payload] : [];
}
