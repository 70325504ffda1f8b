import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { DynamoLedger } from '../../adapters/accounts/dynamo-ledger.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { topUp } from '../domain/top-up.ts';
import { balanceManners } from '../http-manners.ts';
import { presentedBalance, presentedEntry } from '../presented.ts';
import { topUpRoute } from '../routes.ts';

const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
const ports = {
  accounts: new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE),
  ledger: new DynamoLedger(dynamoClient(), ACCOUNTS_TABLE),
  clock: systemClock,
  ids: ulidIds,
  backoff: jitteredBackoff,
};

export const handler = apiHandler(topUpRoute, balanceManners, async ({ caller, body }) => {
  const { entry, account, replayed } = await topUp({ workspaceId: caller.workspaceId, ...body }, ports);
  return {
    status: 201,
    body: { entry: presentedEntry(entry), balance: presentedBalance(account) },
    headers: replayed ? { 'idempotent-replayed': 'true' } : {},
  };
});
