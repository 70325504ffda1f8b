import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, runPorts, workflows } from '../../wiring/workflows/workflows.ts';
import type { JsonObject } from '../domain/graph/graph.ts';
import { findWorkflow, requireSound } from '../domain/manage-workflows.ts';
import { beginRun, checkedRun } from '../domain/run/begin-run.ts';
import { noSuchRun } from '../domain/run/decide-run.ts';
import { nodeGraph } from '../domain/run/node-graph.ts';
import { runView } from '../domain/run/run-view.ts';
import { toRunResponse } from '../responses.ts';
import { runNodeRoute } from '../run-routes.ts';

const ports = runPorts();
const stored = { workflows: workflows() };

const endpoint = pipeline(runNodeRoute, http, async ({ principal, params, body, signal, deadlineMs, baseUrl }) => {
  const { workspaceId, kind, id } = principal;
  const workflowId = { workspaceId, workflowId: params.id };
  const { draft } = await findWorkflow(workflowId, stored);
  const former = body.from_run === undefined ? {} : await outputsOf({ workspaceId, runId: body.from_run });
  const graph = nodeGraph(draft, params.node, { ...former, ...(body.outputs as Record<string, JsonObject>) });
  requireSound(graph, workflowId);
  const { query, files } = body;
  const trigger = { kind: 'api', caller: { kind, id }, applicationId: null, sessionId: null } as const;
  const request = { ...workflowId, workflowVersion: null, graph, inputs: body.inputs as JsonObject, query, files };
  const checked = checkedRun({ ...request, history: [], trigger }, ports);
  const options = { deadlineMs, client: signal };
  const { left } = await ports.shares.within(checked.head, trigger.kind, () => beginRun(checked, options, ports));
  const found = await ports.runs.read(checked.head);
  if (found === null) throw new Error(`Run ${checked.head.runId} is gone.`);
  const hasEnded = left === 'ended';
  return envelopeReply(
    hasEnded ? 200 : 202,
    toRunResponse(found.head, runView(found), baseUrl),
    hasEnded ? 'The node has been run.' : 'The run continues.',
  );
});

/** Outputs of a run's nodes that are in no body. @throws RunRefused when there is no such run */
async function outputsOf(runId: { readonly workspaceId: string; readonly runId: string }) {
  const found = await ports.runs.read(runId);
  if (found === null) throw noSuchRun();
  const { nodes } = runView(found);
  return Object.fromEntries(
    nodes.flatMap(({ executionKey, nodeId, outputs }) =>
      executionKey === nodeId && outputs ? [[nodeId, outputs]] : [],
    ),
  );
}

export const handler = bufferedHandler(endpoint);
