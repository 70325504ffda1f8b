import { longPollHandler } from '../../shared/http/long-poll-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { executePorts, http } from '../../wiring/sandbox/sandbox.ts';
import { executeBatch, requireBatch } from '../domain/execute.ts';
import { withUploads } from '../domain/input-uploads.ts';
import { toResultResponse, toSentRequest } from '../responses.ts';
import { executeBatchRoute } from '../routes.ts';

const ports = executePorts();

const endpoint = pipeline(executeBatchRoute, http, async ({ principal, body, deadlineMs, signal, background }) => {
  const sent = body.map(toSentRequest);
  requireBatch(sent);
  const requests = await withUploads(sent, principal.workspaceId, ports);
  const caller = {
    workspaceId: principal.workspaceId,
    keyId: keyIdOf(principal),
    background,
    untilMs: deadlineMs,
    signal,
  };
  const results = await executeBatch(requests, caller, ports);
  return { status: 200, body: await Promise.all(results.map((result) => toResultResponse(result, ports.files))) };
});

export const handler = longPollHandler(endpoint);
