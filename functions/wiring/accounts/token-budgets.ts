import { TokenBudgets } from '../../accounts/domain/token-budgets.ts';
import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { DynamoOutbox } from '../../adapters/accounts/dynamo-outbox.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoDayCounters } from '../../adapters/shared/dynamo-day-counters.ts';
import { countLimitStoreFailure } from '../../adapters/shared/limit-alarm.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { memoize } from '../../shared/memoize.ts';

/** Budgets of model tokens that workspaces set for their keys and applications, for all services. */
export const tokenBudgets = memoize((): TokenBudgets => {
  const { ACCOUNTS_TABLE, LIMITS_TABLE } = environment('ACCOUNTS_TABLE', 'LIMITS_TABLE');
  const accounts = new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE);
  return new TokenBudgets({
    budgetsOf: (workspaceId) => accounts.budgetsOf(workspaceId),
    counters: new DynamoDayCounters(dynamoClient(), LIMITS_TABLE),
    notices: new DynamoOutbox(dynamoClient(), ACCOUNTS_TABLE),
    clock: systemClock,
    storeFailed: countLimitStoreFailure,
  });
});
