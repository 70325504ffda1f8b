import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, runs } from '../../wiring/workflows/workflows.ts';
import { toComparisonResponse } from '../comparison-wire.ts';
import { compareRuns, requireOneWorkflow } from '../domain/run/compare-runs.ts';
import { noSuchRun } from '../domain/run/decide-run.ts';
import { compareRunsRoute } from '../run-routes.ts';

const stored = runs();

const endpoint = pipeline(compareRunsRoute, http, async ({ principal: { workspaceId }, params, query }) => {
  const [first, second] = await Promise.all(
    [params.id, query.with].map((runId) => stored.read({ workspaceId, runId })),
  );
  if (!first) throw noSuchRun();
  if (!second) throw noSuchRun('with');
  requireOneWorkflow(first.head, second.head);
  const compared = compareRuns(first, second);
  return envelopeReply(200, toComparisonResponse(first.head, second.head, compared), 'The comparison.');
});

export const handler = bufferedHandler(endpoint);
