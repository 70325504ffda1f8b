import { apiHandler } from '../../shared/http/api-handler.ts';
import { streamedHandler } from '../../shared/http/streamed-handler.ts';
import { requireTokens } from '../../shared/limits/require-tokens.ts';
import { executeBatch, requireBatch } from '../domain/execute.ts';
import { sandboxManners } from '../http-manners.ts';
import { EXECUTIONS, executionOf, presentedResult } from '../presented.ts';
import { executeBatchRoute } from '../routes.ts';
import { executePorts, limitPorts } from '../sandbox-ports.ts';

const ports = executePorts();
const limits = limitPorts();

const answer = apiHandler(executeBatchRoute, sandboxManners, async ({ caller, body, deadlineMs }) => {
  const requests = body.map(executionOf);
  // Before it is counted: a batch that is too large would never pass.
  requireBatch(requests);
  const headers = await requireTokens(EXECUTIONS, caller.keyId, requests.length, limits);
  const { workspaceId } = caller;
  const results = await executeBatch(requests, { workspaceId, untilMs: deadlineMs }, ports);
  return { status: 200, headers, body: results.map(presentedResult) };
});

export const handler = streamedHandler(answer);
