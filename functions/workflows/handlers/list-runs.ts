import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { findWorkflow } from '../domain/manage-workflows.ts';
import { pageOf } from '../page.ts';
import { toRunSummary } from '../responses.ts';
import { listRunsRoute } from '../routes.ts';
import { http, runs, workflows } from '../wiring.ts';

const stored = runs();
const ports = { workflows: workflows() };

const endpoint = pipeline(listRunsRoute, http, async ({ principal, params, query: { limit, cursor = null } }) => {
  const { workspaceId } = principal;
  const [found] = await Promise.all([
    stored.list(workspaceId, params.id, limit + 1, cursor),
    findWorkflow({ workspaceId, workflowId: params.id }, ports),
  ]);
  const page = pageOf(found, limit, ({ runId }) => runId);
  return envelopeReply(
    200,
    { runs: page.items.map(toRunSummary), next_cursor: page.nextCursor },
    'Runs, newest first.',
  );
});

export const handler = bufferedHandler(endpoint);
