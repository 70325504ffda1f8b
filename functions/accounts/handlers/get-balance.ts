import { DynamoAccounts } from '../../adapters/aws/dynamo-accounts.ts';
import { dynamoClient } from '../../adapters/aws/dynamo-client.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { extractionBody } from '../../shared/http/problem-body.ts';
import { accountOf } from '../domain/account.ts';
import { getBalanceRoute } from '../routes.ts';

const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
const accounts = new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE);

// The balance belongs to specification 1, and so do its error bodies.
export const handler = apiHandler(getBalanceRoute, { presentProblem: extractionBody }, async ({ caller }) => {
  const { balanceKrw, lowBalanceThresholdKrw, updatedAt } = await accountOf(caller.workspaceId, accounts);
  return { status: 200, body: { balanceKrw, lowBalanceThresholdKrw, updatedAt } };
});
