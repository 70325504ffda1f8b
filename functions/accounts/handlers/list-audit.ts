import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { audit, http } from '../../wiring/accounts/accounts.ts';
import { auditPage } from '../domain/audit.ts';
import { toAuditResponse } from '../responses.ts';
import { listAuditRoute } from '../routes.ts';

const trail = audit();

const endpoint = pipeline(listAuditRoute, http, async ({ principal, query: { limit, cursor } }) => {
  const { entries, nextCursor } = await auditPage(principal.workspaceId, { limit, before: cursor ?? null }, trail);
  const data = { entries: entries.map(toAuditResponse), next_cursor: nextCursor };
  return envelopeReply(200, data, 'Audit entries, newest first.');
});

export const handler = bufferedHandler(endpoint);
