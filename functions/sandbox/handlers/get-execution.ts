import { longPollHandler } from '../../shared/http/long-poll-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { executions, http, outputFiles } from '../../wiring/sandbox/sandbox.ts';
import { noExecution } from '../http-errors.ts';
import { toExecutionResponse } from '../responses.ts';
import { getExecutionRoute } from '../routes.ts';

const recorded = executions();
const links = outputFiles();

const endpoint = pipeline(getExecutionRoute, http, async ({ principal, params }) => {
  const { execution_id: executionId } = params;
  const found = await recorded.findWithOutput({ workspaceId: principal.workspaceId, executionId });
  if (found === null) throw noExecution(executionId);
  return { status: 200, body: await toExecutionResponse(found.execution, found.output, links) };
});

/** Two streams of 1 MiB are more as JSON within JSON than a buffered response may be, when they are full of control characters. */
export const handler = longPollHandler(endpoint);
