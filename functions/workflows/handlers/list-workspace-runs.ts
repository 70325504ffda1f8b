import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, runs } from '../../wiring/workflows/workflows.ts';
import { toRunSummary } from '../responses.ts';
import { listWorkspaceRunsRoute } from '../run-routes.ts';

const stored = runs();

const endpoint = pipeline(listWorkspaceRunsRoute, http, async ({ principal, query }) => {
  const { status, limit, cursor = null } = query;
  const page = await stored.listByStatus(principal.workspaceId, status, limit, cursor);
  return envelopeReply(200, { runs: page.runs.map(toRunSummary), next_cursor: page.last }, 'Runs, newest first.');
});

export const handler = bufferedHandler(endpoint);
