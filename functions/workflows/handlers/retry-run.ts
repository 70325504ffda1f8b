import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, runs, triggeredPorts } from '../../wiring/workflows/workflows.ts';
import { graphToRun } from '../domain/run/graph-to-run.ts';
import { retryRun } from '../domain/run/retry-run.ts';
import { toRunSummary } from '../responses.ts';
import { retryRunRoute } from '../run-routes.ts';

const ports = { ...triggeredPorts(), runs: runs() };

const endpoint = pipeline(retryRunRoute, http, async ({ principal, params, body: { from = null, version } }) => {
  const { workspaceId, kind, id } = principal;
  const run = { workspaceId, runId: params.id };
  const queued = await retryRun(
    run,
    { from, caller: { kind, id } },
    async ({ head: { workflowId, workflowVersion }, graph }) =>
      version === 'same' ? { workflowVersion, graph } : graphToRun({ workspaceId, workflowId }, version, ports),
    ports,
  );
  return envelopeReply(202, toRunSummary(queued), 'The run is queued.');
});

export const handler = bufferedHandler(endpoint);
