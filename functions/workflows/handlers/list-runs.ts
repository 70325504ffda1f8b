import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, runs, workflows } from '../../wiring/workflows/workflows.ts';
import { findWorkflow } from '../domain/manage-workflows.ts';
import { listRuns } from '../domain/run/list-runs.ts';
import { toRunSummary } from '../responses.ts';
import { listRunsRoute } from '../run-routes.ts';

const ports = { workflows: workflows(), runs: runs() };

const endpoint = pipeline(listRunsRoute, http, async ({ principal: { workspaceId }, params: { id }, query }) => {
  const workflowId = { workspaceId, workflowId: id };
  const { limit, cursor: after = null, status, version, trigger, from, to } = query;
  const filter = {
    ...{ status, trigger, version: version === 'draft' ? null : version },
    ...{ fromMs: from === undefined ? from : Date.parse(from), toMs: to === undefined ? to : Date.parse(to) },
  };
  const [page] = await Promise.all([
    listRuns(workflowId, filter, { limit, after }, ports),
    findWorkflow(workflowId, ports),
  ]);
  return envelopeReply(200, { runs: page.runs.map(toRunSummary), next_cursor: page.nextCursor }, 'Runs, newest first.');
});

export const handler = bufferedHandler(endpoint);
