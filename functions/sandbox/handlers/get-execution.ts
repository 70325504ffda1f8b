import { apiHandler } from '../../shared/http/api-handler.ts';
import { noExecution, sandboxManners } from '../http-manners.ts';
import { presentedExecution } from '../presented.ts';
import { getExecutionRoute } from '../routes.ts';
import { executions } from '../sandbox-ports.ts';

const recorded = executions();

export const handler = apiHandler(getExecutionRoute, sandboxManners, async ({ caller, params }) => {
  const { execution_id: executionId } = params;
  const found = await recorded.findWithOutput({ workspaceId: caller.workspaceId, executionId });
  if (found === null) throw noExecution(executionId);
  return { status: 200, body: presentedExecution(found.execution, found.output) };
});
