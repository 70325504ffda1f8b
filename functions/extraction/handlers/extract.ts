import { apiHandler } from '../../shared/http/api-handler.ts';
import { keyedCall } from '../../shared/idempotency/keyed-call.ts';
import { extract } from '../domain/extract.ts';
import { extractPorts } from '../extract-ports.ts';
import { extractionManners } from '../http-manners.ts';
import { extractRoute } from '../routes.ts';

const ports = extractPorts();

export const handler = apiHandler(extractRoute, extractionManners, async ({ caller, body, headers, deadlineMs }) => {
  const command = {
    ...body,
    workspaceId: caller.workspaceId,
    idempotency: keyedCall(extractRoute, headers['idempotency-key'], body),
    deadlineMs,
  };
  const { result, replayed } = await extract(command, ports);
  return { status: 200, body: result, headers: replayed ? { 'idempotent-replayed': 'true' } : {} };
});
