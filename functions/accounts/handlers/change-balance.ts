import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { jitteredBackoff } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { changeThreshold } from '../domain/change-threshold.ts';
import { balanceManners } from '../http-manners.ts';
import { presentedBalance } from '../presented.ts';
import { changeBalanceRoute } from '../routes.ts';

const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
const accounts = new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE);
const ports = { accounts, settings: accounts, backoff: jitteredBackoff };

export const handler = apiHandler(changeBalanceRoute, balanceManners, async ({ caller, body }) => {
  const account = await changeThreshold(caller.workspaceId, body.lowBalanceThresholdKrw, ports);
  return { status: 200, body: presentedBalance(account) };
});
