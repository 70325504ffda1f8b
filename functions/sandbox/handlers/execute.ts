import { apiHandler } from '../../shared/http/api-handler.ts';
import { LATE_AFTER_MS, streamedHandler } from '../../shared/http/streamed-handler.ts';
import { requireTokens } from '../../shared/limits/require-tokens.ts';
import { execute } from '../domain/execute.ts';
import { sandboxManners } from '../http-manners.ts';
import { EXECUTIONS, executionOf, presentedResult } from '../presented.ts';
import { executeRoute } from '../routes.ts';
import { executePorts, limitPorts } from '../sandbox-ports.ts';

const ports = executePorts();
const limits = limitPorts();

const answer = apiHandler(executeRoute, sandboxManners, async ({ caller, body, deadlineMs }) => {
  const lateAtMs = ports.clock.now() + LATE_AFTER_MS;
  const headers = await requireTokens(EXECUTIONS, caller.keyId, 1, limits);
  const { workspaceId } = caller;
  const result = await execute(executionOf(body), { workspaceId, untilMs: deadlineMs, lateAtMs }, ports);
  return { status: 200, headers, body: presentedResult(result) };
});

export const handler = streamedHandler(answer);
