import type { DataSettingsStore } from '../../accounts/domain/data-settings.ts';
import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { environment } from '../../shared/environment.ts';
import { memoize } from '../../shared/memoize.ts';

/** Each workspace's choice of the content that the services may store. */
export const dataSettings = memoize((): DataSettingsStore => {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE);
});
