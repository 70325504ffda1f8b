import { systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { requireTokens } from '../../shared/limits/require-tokens.ts';
import { logger } from '../../shared/logging.ts';
import { submit } from '../domain/submit.ts';
import { executionQueue } from '../execution-queue.ts';
import { sandboxManners } from '../http-manners.ts';
import { EXECUTIONS, executionOf, presentedExecution } from '../presented.ts';
import { executeAsyncRoute } from '../routes.ts';
import { executions, limitPorts, sandboxPool } from '../sandbox-ports.ts';

const limits = limitPorts();
const ports = {
  pool: sandboxPool(),
  executions: executions(),
  queue: executionQueue(),
  ids: ulidIds,
  clock: systemClock,
  onUnsent: (executionId: string, error: unknown) =>
    logger().error('An execution could not be queued; the reconciler will do it', {
      executionId,
      error: error as Error,
    }),
};

export const handler = apiHandler(executeAsyncRoute, sandboxManners, async ({ caller, body }) => {
  const headers = await requireTokens(EXECUTIONS, caller.keyId, 1, limits);
  const execution = await submit(caller.workspaceId, executionOf(body), ports);
  return { status: 200, headers, body: presentedExecution(execution, null) };
});
