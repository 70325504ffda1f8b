import { apiKeyAuthenticator } from './accounts/api-key-authenticator.ts';
import { DynamoApiKeys } from './adapters/accounts/dynamo-api-keys.ts';
import { dynamoClient, newDynamoClient } from './adapters/dynamodb/client.ts';
import { DynamoLimits } from './adapters/shared/dynamo-limits.ts';
import { countLimitStoreFailure } from './adapters/shared/limit-alarm.ts';
import { systemClock } from './adapters/shared/system-ports.ts';
import { environment } from './shared/environment.ts';
import { baseLimits } from './shared/limits/base-limits.ts';
import type { LimitPorts } from './shared/limits/take-tokens.ts';
import { memoize } from './shared/memoize.ts';

/** The client of the rate limits. */
export const limitsClient = memoize(() => newDynamoClient(IMPATIENT));

/** A request does not wait long for its limits: when their store is slow or gone, it passes. */
const IMPATIENT = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_000, throwOnRequestTimeout: true },
};

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
    const settings = environment('LIMITS_TABLE', 'USER_LIMIT_PER_MINUTE', 'ADDRESS_LIMIT_PER_MINUTE');
    return {
      store: new DynamoLimits(limitsClient(), settings.LIMITS_TABLE),
      clock: systemClock,
      base: baseLimits({ user: settings.USER_LIMIT_PER_MINUTE, address: settings.ADDRESS_LIMIT_PER_MINUTE }),
      storeFailed: countLimitStoreFailure,
    };
  }),
} as const;
