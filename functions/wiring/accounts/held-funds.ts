import { HeldFunds } from '../../accounts/domain/hold-funds.ts';
import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { DynamoHolds } from '../../adapters/accounts/dynamo-holds.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoize } from '../../shared/memoize.ts';

/** Holding and charging money for the services whose price is known only at the end of the work. */
export const heldFunds = memoize((): HeldFunds => {
  const { ACCOUNTS_TABLE: accounts, USAGE_TABLE: usage } = environment('ACCOUNTS_TABLE', 'USAGE_TABLE');
  return new HeldFunds({
    accounts: new DynamoAccounts(dynamoClient(), accounts),
    holds: new DynamoHolds(dynamoClient(), { accounts, usage }),
    backoff: jitteredBackoff,
    clock: systemClock,
    ids: ulidIds,
    onUnreleased: (holdId, error) =>
      logger().error('A hold could not be released; it ends with its time', { holdId, error: error as Error }),
  });
});
