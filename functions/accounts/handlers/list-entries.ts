import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { ledgerPage } from '../domain/ledger.ts';
import { toEntryResponse } from '../responses.ts';
import { listEntriesRoute } from '../routes.ts';
import { http, ledger } from '../wiring.ts';

const stored = ledger();

const endpoint = pipeline(listEntriesRoute, http, async ({ principal, query }) => {
  const { limit, cursor } = query;
  const before = cursor === undefined ? null : Number(cursor);
  const { entries, nextCursor } = await ledgerPage(principal.workspaceId, { limit, before }, stored);
  return { status: 200, body: { entries: entries.map(toEntryResponse), nextCursor } };
});

export const handler = bufferedHandler(endpoint);
