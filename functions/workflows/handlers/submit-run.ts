import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { decidePorts, http } from '../../wiring/workflows/workflows.ts';
import type { JsonObject } from '../domain/graph/graph.ts';
import { decideRun } from '../domain/run/decide-run.ts';
import { submitRunRoute } from '../form-routes.ts';

const ports = decidePorts();

const endpoint = pipeline(submitRunRoute, http, async ({ principal, params, body }) => {
  const { execution_key: key = null, values, action } = body;
  const submitted = { decision: 'submitted', values: values as JsonObject, action } as const;
  const request = { ...submitted, key, comment: '', by: principal.id };
  const at = await decideRun({ workspaceId: principal.workspaceId, runId: params.id }, request, ports);
  return envelopeReply(200, { id: params.id, execution_key: at, decision: 'submitted' }, 'The run continues.');
});

export const handler = bufferedHandler(endpoint);
