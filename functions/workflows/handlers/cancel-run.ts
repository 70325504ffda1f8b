import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { cancelRun } from '../domain/run/decide-run.ts';
import { cancelRunRoute } from '../run-routes.ts';
import { decidePorts, http } from '../wiring.ts';

const ports = decidePorts();

const endpoint = pipeline(cancelRunRoute, http, async ({ principal, params }) => {
  await cancelRun({ workspaceId: principal.workspaceId, runId: params.id }, principal.id, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
