import type { DataSettingsStore } from './accounts/domain/data-settings.ts';
import { DynamoAccounts } from './adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from './adapters/dynamodb/client.ts';
import { environment } from './shared/environment.ts';
import { memoize } from './shared/memoize.ts';

/** What workspaces let the service keep, for all services. */
export const dataSettings = memoize((): DataSettingsStore => {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE);
});
