import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, workflows } from '../../wiring/workflows/workflows.ts';
import { pageOf } from '../page.ts';
import { toSummaryResponse } from '../responses.ts';
import { listWorkflowsRoute } from '../routes.ts';

const stored = workflows();

const endpoint = pipeline(listWorkflowsRoute, http, async ({ principal, query: { limit, cursor = null } }) => {
  const page = pageOf(await stored.list(principal.workspaceId, limit + 1, cursor), limit, (each) => each.workflowId);
  const data = { workflows: page.items.map(toSummaryResponse), next_cursor: page.nextCursor };
  return envelopeReply(200, data, 'Workflows, newest first.');
});

export const handler = bufferedHandler(endpoint);
