import { apiHandler } from '../../shared/http/api-handler.ts';
import { requireTokens } from '../../shared/limits/require-tokens.ts';
import { execute } from '../domain/execute.ts';
import { sandboxManners } from '../http-manners.ts';
import { EXECUTIONS, executionOf, presentedResult } from '../presented.ts';
import { executeRoute } from '../routes.ts';
import { executePorts } from '../sandbox-ports.ts';

const ports = executePorts();

export const handler = apiHandler(executeRoute, sandboxManners, async ({ caller, body }) => {
  const headers = await requireTokens(EXECUTIONS, caller.keyId, 1, ports);
  return { status: 200, headers, body: presentedResult(await execute(executionOf(body), ports)) };
});
