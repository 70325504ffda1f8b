import { apiHandler } from '../../shared/http/api-handler.ts';
import { bodyHash } from '../../shared/idempotency/canonical-json.ts';
import { type ExtractCommand, extract } from '../domain/extract.ts';
import { extractPorts } from '../extract-ports.ts';
import { extractionManners } from '../http-manners.ts';
import { extractRoute } from '../routes.ts';

/** A call is dead for certain when its function has timed out; the margin is for clocks that differ. */
const LEASE_SECONDS = extractRoute.limits.timeoutSeconds + 5;

const ports = extractPorts();

export const handler = apiHandler(extractRoute, extractionManners, async ({ caller, body, headers, deadlineMs }) => {
  const command = {
    ...body,
    workspaceId: caller.workspaceId,
    idempotency: idempotencyOf(headers['idempotency-key'], body),
    deadlineMs,
  };
  const { result, replayed } = await extract(command, ports);
  return { status: 200, body: result, headers: replayed ? { 'idempotent-replayed': 'true' } : {} };
});

function idempotencyOf(key: string | undefined, body: object): ExtractCommand['idempotency'] {
  if (key === undefined) return null;
  return { path: extractRoute.path, key, bodyHash: bodyHash(body), leaseSeconds: LEASE_SECONDS };
}
