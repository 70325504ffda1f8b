import { envelopeReply } from '../../shared/http/envelope.ts';
import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { checkedRun, queueRun } from '../domain/run/begin-run.ts';
import { graphToRun } from '../domain/run/graph-to-run.ts';
import { streamRun } from '../domain/run/run-parts.ts';
import { runView } from '../domain/run/run-view.ts';
import { toRunResponse } from '../responses.ts';
import { runWorkflowRoute } from '../routes.ts';
import { runFrames } from '../run-frames.ts';
import { http, runPorts, workflows } from '../wiring.ts';

const ports = runPorts();
const stored = { workflows: workflows() };

const endpoint = pipeline(runWorkflowRoute, http, async ({ principal, params, body, signal, deadlineMs }) => {
  const { workspaceId, kind, id } = principal;
  const workflowId = { workspaceId, workflowId: params.id };
  const chosen = await graphToRun(workflowId, body.version, stored);
  const { query, files } = body;
  const trigger = { kind: 'api', caller: { kind, id }, applicationId: null, sessionId: null } as const;
  const request = { ...workflowId, ...chosen, inputs: body.inputs as never, query, files, history: [], trigger };
  const checked = checkedRun(request, ports);
  const { runId } = checked.head;
  const whole = async () => {
    const found = await ports.runs.read({ workspaceId, runId });
    if (found === null) throw new Error(`Run ${runId} is gone.`);
    return toRunResponse(found.head, runView(found));
  };
  if (body.background) {
    await queueRun(checked, ports);
    return envelopeReply(202, await whole(), 'The run is queued.');
  }
  const streamed = streamRun(checked, { deadlineMs, client: signal }, ports);
  if (body.stream) return { status: 200, frames: runFrames(streamed, checked.head) };
  let next = await streamed.next();
  while (!next.done) next = await streamed.next();
  const { hasEnded } = next.value;
  return envelopeReply(hasEnded ? 200 : 202, await whole(), hasEnded ? 'The run has ended.' : 'The run goes on.');
});

export const handler = eventStreamHandler(endpoint);
