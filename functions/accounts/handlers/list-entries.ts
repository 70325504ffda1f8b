import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { accounts, http, ledger } from '../../wiring/accounts/accounts.ts';
import { accountOf, FREE_CALLS } from '../domain/account.ts';
import { ledgerPage } from '../domain/ledger.ts';
import { toEntryResponse } from '../responses.ts';
import { listEntriesRoute } from '../routes.ts';

const stored = ledger();
const known = accounts();

const endpoint = pipeline(listEntriesRoute, http, async ({ principal, query }) => {
  const { limit, cursor } = query;
  const before = cursor === undefined ? null : Number(cursor);
  const [{ entries, nextCursor }, { freeCallsUsed }] = await Promise.all([
    ledgerPage(principal.workspaceId, { limit, before }, stored),
    accountOf(principal.workspaceId, known),
  ]);
  const freePagesLeft = Math.max(0, FREE_CALLS - freeCallsUsed);
  return { status: 200, body: { entries: entries.map(toEntryResponse), nextCursor, freePagesLeft } };
});

export const handler = bufferedHandler(endpoint);
