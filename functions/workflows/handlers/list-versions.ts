import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, workflows } from '../../wiring/workflows/workflows.ts';
import { findWorkflow } from '../domain/manage-workflows.ts';
import { pageOf } from '../page.ts';
import { toVersionResponse } from '../responses.ts';
import { listVersionsRoute } from '../routes.ts';

const stored = workflows();

const endpoint = pipeline(listVersionsRoute, http, async ({ principal, params, query: { limit, cursor } }) => {
  const id = { workspaceId: principal.workspaceId, workflowId: params.id };
  const [found] = await Promise.all([
    stored.listVersions(id, limit + 1, cursor === undefined ? null : Number(cursor)),
    findWorkflow(id, { workflows: stored }),
  ]);
  const page = pageOf(found, limit, ({ number }) => String(number));
  const versions = page.items.map((version) => toVersionResponse(version, { withGraph: false }));
  return envelopeReply(200, { versions, next_cursor: page.nextCursor }, 'Versions, newest first.');
});

export const handler = bufferedHandler(endpoint);
