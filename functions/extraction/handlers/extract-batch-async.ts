import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { keyedCall } from '../../shared/idempotency/keyed-call.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { acceptPorts, http } from '../../wiring/extraction/extraction.ts';
import { acceptBatch } from '../domain/batch/accept-batch.ts';
import { extractBatchRoute, getJobRoute } from '../routes.ts';

const ports = acceptPorts();

const endpoint = pipeline(extractBatchRoute, http, async ({ principal, body, headers, baseUrl }) => {
  const command = {
    ...body,
    workspaceId: principal.workspaceId,
    keyId: keyIdOf(principal),
    idempotency: keyedCall(extractBatchRoute, headers['idempotency-key'], body),
    pollUrl: (jobId: string) => baseUrl + getJobRoute.path.replace('{id}', jobId),
  };
  const { job, replayed } = await acceptBatch(command, ports);
  return { status: 202, body: job, headers: replayed ? { 'idempotent-replayed': 'true' } : {} };
});

export const handler = bufferedHandler(endpoint);
