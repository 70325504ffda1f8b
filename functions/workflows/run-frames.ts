import { completionFrames } from '../chat/completions/wire.ts';
import { Problem } from '../shared/http/problem.ts';
import type { Frame } from '../shared/http/reply.ts';
import type { Output } from './domain/engine/engine-events.ts';
import type { RunHead } from './domain/run/run.ts';
import type { StreamedRun } from './domain/run/run-parts.ts';
import { shownOfRun } from './shown-values.ts';

type Streamed = AsyncGenerator<Output, StreamedRun>;

/** A run as server-sent events, in the form of a chat's: clients of either read both. @param baseUrl that its links start with */
export function runFrames(streamed: Streamed, run: RunHead, baseUrl: string): AsyncGenerator<Frame> {
  const { runId, createdAtMs, workflowId } = run;
  const head = { id: runId, created: Math.floor(createdAtMs / 1000), model: workflowId };
  const options = {
    includeUsage: false,
    events: 'named',
    showsTools: true,
    sessionId: null,
    now: () => Date.now(),
  } as const;
  return completionFrames(partsOf(streamed, run, baseUrl), head, options);
}

async function* partsOf(streamed: Streamed, run: RunHead, baseUrl: string) {
  let next = await streamed.next();
  for (; !next.done; next = await streamed.next()) {
    const output = next.value;
    if (output.kind === 'text') yield { kind: 'text', text: output.text } as const;
    else yield { kind: 'event', type: output.type, payload: shownOfRun(output.payload, run, baseUrl) } as const;
  }
  const { machine } = next.value;
  const { failure, status, cost } = machine;
  if (failure) throw new Problem(500, failure.code, failure.message);
  if (status === 'cancelled') throw new Problem(409, 'cancelled', 'The run was cancelled.');
  const { promptTokens, completionTokens } = cost;
  const total_tokens = promptTokens + completionTokens;
  yield { kind: 'finish', reason: 'stop' } as const;
  yield {
    kind: 'usage',
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens },
  } as const;
}
