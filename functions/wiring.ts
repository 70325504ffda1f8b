import { apiKeyAuthenticator } from './accounts/api-key-authenticator.ts';
import { DynamoApiKeys } from './adapters/accounts/dynamo-api-keys.ts';
import { dynamoClient } from './adapters/dynamodb/client.ts';
import { DynamoLimits } from './adapters/shared/dynamo-limits.ts';
import { countLimitStoreFailure } from './adapters/shared/limit-alarm.ts';
import { systemClock } from './adapters/shared/system-ports.ts';
import { environment } from './shared/environment.ts';
import type { LimitPorts } from './shared/limits/take-tokens.ts';
import { memoize } from './shared/memoize.ts';

/**
 * What the endpoints of all services share. A route can list a credential only when its authenticator is here: the type of
 * `pipeline` asks for it.
 */
export const httpPorts = {
  authenticators: {
    'api-key': memoize(() => {
      const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
      return apiKeyAuthenticator(new DynamoApiKeys(dynamoClient(), ACCOUNTS_TABLE), systemClock);
    }),
  },
  limits: memoize((): LimitPorts => {
    const { LIMITS_TABLE } = environment('LIMITS_TABLE');
    return {
      store: new DynamoLimits(dynamoClient(), LIMITS_TABLE),
      clock: systemClock,
      storeFailed: countLimitStoreFailure,
    };
  }),
} as const;
