import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { keyedCall } from '../../shared/idempotency/keyed-call.ts';
import { extract } from '../domain/extract.ts';
import { extractRoute } from '../routes.ts';
import { extractPorts, http } from '../wiring.ts';

const ports = extractPorts();

const endpoint = pipeline(extractRoute, http, async ({ principal, body, headers, deadlineMs }) => {
  const command = {
    ...body,
    workspaceId: principal.workspaceId,
    idempotency: keyedCall(extractRoute, headers['idempotency-key'], body),
    deadlineMs,
  };
  const { result, replayed } = await extract(command, ports);
  return { status: 200, body: result, headers: replayed ? { 'idempotent-replayed': 'true' } : {} };
});

export const handler = bufferedHandler(endpoint);
