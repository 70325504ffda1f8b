import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { accountOf } from '../domain/account.ts';
import { balanceManners } from '../http-manners.ts';
import { presentedBalance } from '../presented.ts';
import { getBalanceRoute } from '../routes.ts';

const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
const accounts = new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE);

export const handler = apiHandler(getBalanceRoute, balanceManners, async ({ caller }) => {
  return { status: 200, body: presentedBalance(await accountOf(caller.workspaceId, accounts)) };
});
