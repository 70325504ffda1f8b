import { apiKeyAuthenticator } from '../../accounts/api-key-authenticator.ts';
import type { AccessTokenVerifier } from '../../accounts/domain/access-token.ts';
import type { LiveSessions } from '../../accounts/domain/session.ts';
import { cookieAuthenticator, jwtAuthenticator } from '../../accounts/session-authenticators.ts';
import { DynamoApiKeys } from '../../adapters/accounts/dynamo-api-keys.ts';
import { DynamoSessions } from '../../adapters/accounts/dynamo-sessions.ts';
import { dynamoClient, newDynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoLimits } from '../../adapters/shared/dynamo-limits.ts';
import { countLimitStoreFailure } from '../../adapters/shared/limit-alarm.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import type { Authenticators } from '../../shared/http/authenticate.ts';
import { baseLimits, limitOverrides } from '../../shared/limits/base-limits.ts';
import { Refusals } from '../../shared/limits/refusals.ts';
import type { LimitPorts } from '../../shared/limits/take-tokens.ts';
import { memoize } from '../../shared/memoize.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';

const liveSessions = memoize((): LiveSessions => {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return new DynamoSessions(dynamoClient(), ACCOUNTS_TABLE);
});

/** Loaded with the first access token: most calls come with an API key. */
function accessTokenVerifier(): AccessTokenVerifier {
  const { ACCOUNTS_TABLE, TOKEN_ISSUER } = environment('ACCOUNTS_TABLE', 'TOKEN_ISSUER');
  const loaded = memoizeAsync(async () => {
    const [{ JoseVerifier }, { DynamoPublishedKeys }] = await Promise.all([
      import('../../adapters/tokens/jose-verifier.ts'),
      import('../../adapters/accounts/dynamo-published-keys.ts'),
    ]);
    const keys = new DynamoPublishedKeys(dynamoClient(), ACCOUNTS_TABLE);
    return new JoseVerifier({ keys, clock: systemClock, issuer: TOKEN_ISSUER });
  });
  return { verify: async (token) => (await loaded()).verify(token) };
}

/** The client of the rate limits. */
export const limitsClient = memoize(() => newDynamoClient(IMPATIENT));

/** A request does not wait long for its limits: when their store is slow or gone, it passes. */
const IMPATIENT = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_000, throwOnRequestTimeout: true },
};

/**
 * Ports that the endpoints of all services share. A route can list a credential only if its authenticator is here: the type of `pipeline`
 * requires it.
 */
export const httpPorts = {
  authenticators: {
    jwt: memoize(() => jwtAuthenticator(accessTokenVerifier(), liveSessions())),
    cookie: memoize(() => cookieAuthenticator(liveSessions(), systemClock)),
    'api-key': memoize(() => {
      const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
      return apiKeyAuthenticator(new DynamoApiKeys(dynamoClient(), ACCOUNTS_TABLE), systemClock);
    }),
  },
  corsOrigins: () => environment('CORS_ORIGINS').CORS_ORIGINS,
  guidesUrl: () => environment('GUIDES_URL').GUIDES_URL,
  limits: memoize((): LimitPorts => {
    const settings = environment(
      'LIMITS_TABLE',
      'USER_LIMIT_PER_MINUTE',
      'ADDRESS_LIMIT_PER_MINUTE',
      'CHAT_LIMIT_PER_MINUTE',
      'CHAT_LIMIT_BURST',
    );
    const store = new DynamoLimits(limitsClient(), settings.LIMITS_TABLE);
    return {
      store,
      known: store,
      clock: systemClock,
      base: baseLimits({ user: settings.USER_LIMIT_PER_MINUTE, address: settings.ADDRESS_LIMIT_PER_MINUTE }),
      overrides: limitOverrides({
        user: settings.USER_LIMIT_PER_MINUTE,
        chat: settings.CHAT_LIMIT_PER_MINUTE,
        chatBurst: settings.CHAT_LIMIT_BURST,
      }),
      refusals: new Refusals(systemClock),
      storeFailed: countLimitStoreFailure,
    };
  }),
} as const;

/** For a gateway that checks credentials before the handler does. */
export function allAuthenticators(): Authenticators {
  const { jwt, cookie, 'api-key': apiKey } = httpPorts.authenticators;
  return { jwt: jwt(), cookie: cookie(), 'api-key': apiKey() };
}
