import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { clock, executionLeases, executions, http } from '../../wiring/sandbox/sandbox.ts';
import { cancel } from '../domain/cancel.ts';
import { noExecution } from '../http-errors.ts';
import { cancelExecutionRoute } from '../routes.ts';

const ports = { executions: executions(), leases: executionLeases(), clock };

const endpoint = pipeline(cancelExecutionRoute, http, async ({ principal, params }) => {
  const { execution_id: executionId } = params;
  if (!(await cancel({ workspaceId: principal.workspaceId, executionId }, ports))) throw noExecution(executionId);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
