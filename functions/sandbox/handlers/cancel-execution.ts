import { systemClock } from '../../adapters/shared/system-ports.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { cancel } from '../domain/cancel.ts';
import { noExecution, sandboxManners } from '../http-manners.ts';
import { cancelExecutionRoute } from '../routes.ts';
import { executionLeases, executions } from '../sandbox-ports.ts';

const ports = { executions: executions(), leases: executionLeases(null), clock: systemClock };

export const handler = apiHandler(cancelExecutionRoute, sandboxManners, async ({ caller, params }) => {
  const { execution_id: executionId } = params;
  if (!(await cancel({ workspaceId: caller.workspaceId, executionId }, ports))) throw noExecution(executionId);
  return { status: 204 };
});
