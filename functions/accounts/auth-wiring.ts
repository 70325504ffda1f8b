import { randomBytes } from 'node:crypto';
import { DynamoMembers } from '../adapters/accounts/dynamo-members.ts';
import { DynamoPasswords } from '../adapters/accounts/dynamo-passwords.ts';
import { DynamoPublishedKeys } from '../adapters/accounts/dynamo-published-keys.ts';
import { DynamoSessions } from '../adapters/accounts/dynamo-sessions.ts';
import { DynamoUsers } from '../adapters/accounts/dynamo-users.ts';
import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { systemClock, ulidIds } from '../adapters/shared/system-ports.ts';
import { JoseSigner } from '../adapters/tokens/jose-signer.ts';
import { environment } from '../shared/environment.ts';
import { memoize } from '../shared/memoize.ts';
import { memoizeAsync } from '../shared/memoize-async.ts';
import { AuthRefused } from './domain/auth-refused.ts';
import type { PasswordPorts } from './domain/change-password.ts';
import type { Links } from './domain/link.ts';
import type { LoginPorts } from './domain/log-in.ts';
import type { MemberPorts } from './domain/members.ts';
import type { PasswordHasher } from './domain/password.ts';
import type { RegisterPorts } from './domain/register.ts';
import type { SigningSecret } from './domain/signing-key.ts';
import { passwordHashing } from './password-hashing.ts';
import type { CookieOptions } from './session-cookies.ts';
import { accounts } from './wiring.ts';

export const users = memoize(() => new DynamoUsers(dynamoClient(), accountsTable()));
export const sessions = memoize(() => new DynamoSessions(dynamoClient(), accountsTable()));
export const publishedKeys = memoize(() => new DynamoPublishedKeys(dynamoClient(), accountsTable()));

export function loginPorts(): LoginPorts {
  const { ACCESS_TOKEN_EXPIRE_MINUTES, REFRESH_TOKEN_EXPIRE_DAYS, TOKEN_ISSUER } = environment(
    'ACCESS_TOKEN_EXPIRE_MINUTES',
    'REFRESH_TOKEN_EXPIRE_DAYS',
    'TOKEN_ISSUER',
  );
  return {
    users: users(),
    sessions: sessions(),
    signer: new JoseSigner({
      secret: signingSecret(),
      keys: publishedKeys(),
      clock: systemClock,
      issuer: TOKEN_ISSUER,
    }),
    clock: systemClock,
    random: randomBytes,
    hasher: passwordHashing(),
    lifetimes: {
      accessSeconds: ACCESS_TOKEN_EXPIRE_MINUTES * 60,
      refreshSeconds: REFRESH_TOKEN_EXPIRE_DAYS * 24 * 60 * 60,
    },
  };
}

export function registerPorts(): RegisterPorts {
  return { ...loginPorts(), workspaces: accounts(), ids: ulidIds };
}

export const clock = systemClock;

export const members = memoize(() => new DynamoMembers(dynamoClient(), accountsTable()));
const passwords = memoize(() => new DynamoPasswords(dynamoClient(), accountsTable()));

export function memberPorts() {
  return {
    members: members(),
    users: users(),
    links: passwords(),
    clock: systemClock,
    ids: ulidIds,
    hasher: passwordHashing(),
  } satisfies MemberPorts & { readonly links: Links; readonly hasher: PasswordHasher };
}

export function passwordPorts() {
  return { ...memberPorts(), passwords: passwords() } satisfies PasswordPorts;
}

/** @throws AuthRefused where workspaces are made by the operator alone. */
export function requireRegistration(): void {
  if (environment('REGISTRATION').REGISTRATION) return;
  throw new AuthRefused(
    'registration_closed',
    'Registration is closed here. Ask the operator of this service for a workspace, or an owner of one for an invitation.',
  );
}

/** How session cookies are set. */
export function cookies(): CookieOptions & { readonly maxAgeSeconds: number } {
  const { TRIPOD_LOCAL, REFRESH_TOKEN_EXPIRE_DAYS } = environment('TRIPOD_LOCAL', 'REFRESH_TOKEN_EXPIRE_DAYS');
  return { isSecure: !TRIPOD_LOCAL, maxAgeSeconds: REFRESH_TOKEN_EXPIRE_DAYS * 24 * 60 * 60 };
}

/** The secret of the deployment, or a file of the local service. */
export function signingSecret(): SigningSecret {
  const { SIGNING_KEY_SECRET, SIGNING_KEY_FILE } = environment('SIGNING_KEY_SECRET', 'SIGNING_KEY_FILE');
  const secret = memoizeAsync(async (): Promise<SigningSecret> => {
    if (SIGNING_KEY_FILE !== undefined) {
      const { FileSigningSecret } = await import('../adapters/tokens/file-signing-secret.ts');
      return new FileSigningSecret(SIGNING_KEY_FILE);
    }
    if (SIGNING_KEY_SECRET === undefined) throw new Error('Neither SIGNING_KEY_SECRET nor SIGNING_KEY_FILE is set.');
    const [{ SecretsManagerClient }, { SecretsManagerSigningSecret }] = await Promise.all([
      import('@aws-sdk/client-secrets-manager'),
      import('../adapters/tokens/secrets-manager-signing-secret.ts'),
    ]);
    return new SecretsManagerSigningSecret(new SecretsManagerClient({}), SIGNING_KEY_SECRET);
  });
  return {
    read: async () => (await secret()).read(),
    replace: async (text) => (await secret()).replace(text),
  };
}

function accountsTable(): string {
  return environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE;
}
