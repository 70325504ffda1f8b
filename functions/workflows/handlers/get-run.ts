import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, runs } from '../../wiring/workflows/workflows.ts';
import { noSuchRun } from '../domain/run/decide-run.ts';
import { runView } from '../domain/run/run-view.ts';
import { toRunResponse } from '../responses.ts';
import { getRunRoute } from '../run-routes.ts';

const stored = runs();

const endpoint = pipeline(getRunRoute, http, async ({ principal, params, query, baseUrl }) => {
  const found = await stored.read({ workspaceId: principal.workspaceId, runId: params.id });
  if (found === null) throw noSuchRun();
  return envelopeReply(200, toRunResponse(found.head, runView(found, query.node), baseUrl), 'The run.');
});

export const handler = bufferedHandler(endpoint);
