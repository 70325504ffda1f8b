import { apiHandler } from '../../shared/http/api-handler.ts';
import { streamedHandler } from '../../shared/http/streamed-handler.ts';
import { noExecution, sandboxManners } from '../http-manners.ts';
import { presentedExecution } from '../presented.ts';
import { getExecutionRoute } from '../routes.ts';
import { executions } from '../sandbox-ports.ts';

const recorded = executions();

const answer = apiHandler(getExecutionRoute, sandboxManners, async ({ caller, params }) => {
  const { execution_id: executionId } = params;
  const found = await recorded.findWithOutput({ workspaceId: caller.workspaceId, executionId });
  if (found === null) throw noExecution(executionId);
  return { status: 200, body: presentedExecution(found.execution, found.output) };
});

/** Two streams of 1 MiB are more as JSON within JSON than a buffered answer may be, when they are full of control characters. */
export const handler = streamedHandler(answer);
