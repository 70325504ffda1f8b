import { setTimeout as sleep } from 'node:timers/promises';
import { HEAD_DEADLINE_MS, longPollHandler } from '../../shared/http/long-poll-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import type { Frame } from '../../shared/http/reply.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { executePorts, http } from '../../wiring/sandbox/sandbox.ts';
import { type Caller, execute } from '../domain/execute.ts';
import { type ExecutionEvent, executionStream } from '../domain/execution-stream.ts';
import { withUploads } from '../domain/input-uploads.ts';
import { toResultResponse, toSentRequest } from '../responses.ts';
import { executeRoute } from '../routes.ts';

const ports = executePorts();

const endpoint = pipeline(executeRoute, http, async ({ principal, body, headers, deadlineMs, signal, background }) => {
  const [request] = await withUploads([toSentRequest(body)], principal.workspaceId, ports);
  const caller: Caller = {
    workspaceId: principal.workspaceId,
    keyId: keyIdOf(principal),
    background,
    untilMs: deadlineMs,
    signal,
  };
  if (headers.accept?.includes('text/event-stream')) {
    const silence = new AbortController();
    const events = await executionStream(
      (options) => execute(request!, { ...caller, ...options }, ports),
      (ms) => sleep(ms, undefined, { signal: silence.signal }).catch(() => undefined),
    ).finally(() => silence.abort());
    return { status: 200, frames: frames(events), startsEarly: true };
  }
  const lateAtMs = ports.clock.now() + HEAD_DEADLINE_MS;
  const result = await execute(request!, { ...caller, lateAtMs }, ports);
  return { status: 200, body: await toResultResponse(result, ports.files) };
});

async function* frames(events: AsyncIterable<ExecutionEvent>): AsyncGenerator<Frame> {
  for await (const event of events) {
    if (event.kind === 'result') yield { event: 'result', data: await toResultResponse(event.result, ports.files) };
    else yield { event: event.kind, data: { text: event.text } };
  }
}

export const handler = longPollHandler(endpoint);
