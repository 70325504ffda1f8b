import { envelopeReply } from '../../shared/http/envelope.ts';
import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bodyHash } from '../../shared/idempotency/body-hash.ts';
import { http, runPorts, runs, workflows } from '../../wiring/workflows/workflows.ts';
import type { Output } from '../domain/engine/engine-events.ts';
import type { JsonObject } from '../domain/graph/graph.ts';
import { checkedRun, queueRun } from '../domain/run/begin-run.ts';
import { graphToRun } from '../domain/run/graph-to-run.ts';
import { pinnedGraph } from '../domain/run/pinned-graph.ts';
import type { RunHead, RunId } from '../domain/run/run.ts';
import { replayRun, type StreamedRun, streamRun } from '../domain/run/run-parts.ts';
import type { RunKey } from '../domain/run/run-ports.ts';
import { RunRefused } from '../domain/run/run-refused.ts';
import { runView } from '../domain/run/run-view.ts';
import type { WorkflowId } from '../domain/workflow.ts';
import { toRunResponse } from '../responses.ts';
import { runFrames } from '../run-frames.ts';
import { runWorkflowRoute } from '../run-routes.ts';

const ports = runPorts();
const stored = { workflows: workflows() };

const endpoint = pipeline(
  runWorkflowRoute,
  http,
  async ({ principal, params, body, headers, signal, deadlineMs, baseUrl }) => {
    const { workspaceId, kind, id } = principal;
    const shows = { ...body, baseUrl };
    const workflowId = { workspaceId, workflowId: params.id };
    const key = headers['idempotency-key'];
    const asked = key === undefined ? null : { key, bodyHash: bodyHash(body) };
    const earlier = asked && (await earlierRun(workflowId, asked));
    if (earlier)
      return replied(earlier.head, await replayRun(earlier, { deadlineMs, client: signal }, ports), shows, true);
    const chosen = await graphToRun(workflowId, body.version, stored);
    const { query, files, priority } = body;
    const trigger = { kind: 'api', caller: { kind, id }, applicationId: null, sessionId: null } as const;
    const graph = pinnedGraph(chosen.graph, body.pinned as Record<string, JsonObject>);
    const begun = {
      ...workflowId,
      ...chosen,
      graph,
      inputs: body.inputs as never,
      query,
      files,
      priority,
      history: [],
      trigger,
    };
    const checked = checkedRun({ ...begun, key: asked }, ports);
    if (body.background) {
      await queueRun(checked, ports);
      return envelopeReply(202, await shown(checked.head, baseUrl), 'The run is queued.');
    }
    // A request with a key may lose its connection: its run continues.
    const client = asked ? new AbortController().signal : signal;
    return replied(checked.head, await streamRun(checked, { deadlineMs, client }, ports), shows, false);
  },
);

/** The run that was started with a key before. @throws RunRefused when it was used with another body */
async function earlierRun({ workspaceId, workflowId }: WorkflowId, { key, bodyHash: hash }: RunKey) {
  const found = await runs().findByKey(workspaceId, workflowId, key);
  if (found === null) return null;
  if (found.bodyHash !== hash)
    throw new RunRefused(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Use a new key for a new run.',
    );
  return ports.runs.read({ workspaceId, runId: found.runId });
}

async function replied(
  head: RunHead,
  streamed: AsyncGenerator<Output, StreamedRun>,
  { stream, background, baseUrl }: { readonly stream: boolean; readonly background: boolean; readonly baseUrl: string },
  isReplay: boolean,
) {
  const headers = isReplay ? { headers: { 'idempotent-replayed': 'true' } } : {};
  if (isReplay && background)
    return { ...envelopeReply(202, await shown(head, baseUrl), 'The run is known.'), ...headers };
  if (stream) return { status: 200, frames: runFrames(streamed, head, baseUrl), ...headers };
  let next = await streamed.next();
  while (!next.done) next = await streamed.next();
  const hasEnded = next.value.machine.status !== 'running';
  const message = hasEnded ? 'The run has ended.' : 'The run continues.';
  return { ...envelopeReply(hasEnded ? 200 : 202, await shown(head, baseUrl), message), ...headers };
}

async function shown({ workspaceId, runId }: RunId, baseUrl: string) {
  const found = await ports.runs.read({ workspaceId, runId });
  if (found === null) throw new Error(`Run ${runId} is gone.`);
  return toRunResponse(found.head, runView(found), baseUrl);
}

export const handler = eventStreamHandler(endpoint);
