import { HEAD_DEADLINE_MS, longPollHandler } from '../../shared/http/long-poll-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { execute } from '../domain/execute.ts';
import { toExecutionRequest, toResultResponse } from '../responses.ts';
import { executeRoute } from '../routes.ts';
import { executePorts, http } from '../wiring.ts';

const ports = executePorts();

const endpoint = pipeline(executeRoute, http, async ({ principal, body, deadlineMs, signal, background }) => {
  const lateAtMs = ports.clock.now() + HEAD_DEADLINE_MS;
  const caller = {
    workspaceId: principal.workspaceId,
    keyId: keyIdOf(principal),
    background,
    untilMs: deadlineMs,
    lateAtMs,
    signal,
  };
  return { status: 200, body: toResultResponse(await execute(toExecutionRequest(body), caller, ports)) };
});

export const handler = longPollHandler(endpoint);
