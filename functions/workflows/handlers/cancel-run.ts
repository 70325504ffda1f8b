import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { decidePorts, http, runErasures } from '../../wiring/workflows/workflows.ts';
import { cancelRun } from '../domain/run/decide-run.ts';
import { eraseRun } from '../domain/run/erase-run.ts';
import { cancelRunRoute } from '../run-routes.ts';

const ports = { ...decidePorts(), erasures: runErasures() };

const endpoint = pipeline(cancelRunRoute, http, async ({ principal, params, query }) => {
  const id = { workspaceId: principal.workspaceId, runId: params.id };
  if (query.erase) await eraseRun(id, ports);
  else await cancelRun(id, principal.id, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
