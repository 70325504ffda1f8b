import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { decidePorts, http } from '../../wiring/workflows/workflows.ts';
import { decideRun } from '../domain/run/decide-run.ts';
import { approveRunRoute } from '../run-routes.ts';

const ports = decidePorts();

const endpoint = pipeline(approveRunRoute, http, async ({ principal, params, body }) => {
  const { execution_key = null, comment } = body;
  const request = { decision: 'approved', key: execution_key, comment, by: principal.id } as const;
  const key = await decideRun({ workspaceId: principal.workspaceId, runId: params.id }, request, ports);
  return envelopeReply(200, { id: params.id, execution_key: key, decision: 'approved' }, 'The run continues.');
});

export const handler = bufferedHandler(endpoint);
