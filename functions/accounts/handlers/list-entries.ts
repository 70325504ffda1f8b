import { DynamoLedger } from '../../adapters/accounts/dynamo-ledger.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { ledgerPage } from '../domain/ledger.ts';
import { balanceManners } from '../http-manners.ts';
import { presentedEntry } from '../presented.ts';
import { listEntriesRoute } from '../routes.ts';

const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
const ledger = new DynamoLedger(dynamoClient(), ACCOUNTS_TABLE);

export const handler = apiHandler(listEntriesRoute, balanceManners, async ({ caller, query }) => {
  const { limit, cursor: before = null } = query;
  const { entries, nextCursor } = await ledgerPage(caller.workspaceId, { limit, before }, ledger);
  return { status: 200, body: { entries: entries.map(presentedEntry), nextCursor } };
});
