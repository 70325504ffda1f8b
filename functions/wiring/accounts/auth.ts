import { randomBytes } from 'node:crypto';
import { AuthRefused } from '../../accounts/domain/auth-refused.ts';
import type { PasswordPorts, ResetPorts } from '../../accounts/domain/change-password.ts';
import type { ConfirmationPorts } from '../../accounts/domain/confirm-email.ts';
import { mustUseProvider } from '../../accounts/domain/identity-provider.ts';
import type { Links } from '../../accounts/domain/link.ts';
import { lockOutOthers } from '../../accounts/domain/lock-out-others.ts';
import type { LoginPorts } from '../../accounts/domain/log-in.ts';
import type { MemberPorts } from '../../accounts/domain/members.ts';
import type { OwnSessionPorts } from '../../accounts/domain/own-sessions.ts';
import type { PasswordHasher } from '../../accounts/domain/password.ts';
import type { RegisterPorts } from '../../accounts/domain/register.ts';
import { requireCode, type SecondFactorPorts } from '../../accounts/domain/second-factor.ts';
import type { SigningSecret } from '../../accounts/domain/signing-key.ts';
import type { User } from '../../accounts/domain/user.ts';
import type { AddressProof } from '../../accounts/domain/workspace.ts';
import { countWrongCode } from '../../accounts/domain/wrong-codes.ts';
import { passwordHashing } from '../../accounts/password-hashing.ts';
import type { CookieOptions } from '../../accounts/session-cookies.ts';
import { DynamoConfirmations } from '../../adapters/accounts/dynamo-confirmations.ts';
import { DynamoIdentityProviders } from '../../adapters/accounts/dynamo-identity-providers.ts';
import { DynamoMembers } from '../../adapters/accounts/dynamo-members.ts';
import { DynamoOutbox } from '../../adapters/accounts/dynamo-outbox.ts';
import { DynamoPasswords } from '../../adapters/accounts/dynamo-passwords.ts';
import { DynamoPublishedKeys } from '../../adapters/accounts/dynamo-published-keys.ts';
import { DynamoSecondFactors } from '../../adapters/accounts/dynamo-second-factors.ts';
import { DynamoServiceCredentials } from '../../adapters/accounts/dynamo-service-credentials.ts';
import { DynamoSessions } from '../../adapters/accounts/dynamo-sessions.ts';
import { DynamoUsers } from '../../adapters/accounts/dynamo-users.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoDayCounters } from '../../adapters/shared/dynamo-day-counters.ts';
import { systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { JoseSigner } from '../../adapters/tokens/jose-signer.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoize } from '../../shared/memoize.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { freeWorkOf } from '../shared/free-work.ts';
import { secretBox } from '../shared/secret-box.ts';
import { accounts, keyPorts, workspaces } from './accounts.ts';

export const users = memoize(() => new DynamoUsers(dynamoClient(), accountsTable()));
export const identityProviders = memoize(() => new DynamoIdentityProviders(dynamoClient(), accountsTable()));
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
    requiresSecondFactor: (workspaceId) => workspaces().requiresSecondFactor(workspaceId),
    requireCode: (user, code) => requireCode(user, code, secondFactorPorts()),
    mustUseProvider: (user) => mustUseProvider(user, identityProviders()),
    lifetimes: {
      accessSeconds: ACCESS_TOKEN_EXPIRE_MINUTES * 60,
      refreshSeconds: REFRESH_TOKEN_EXPIRE_DAYS * 24 * 60 * 60,
    },
  };
}

export const secondFactorPorts = memoize((): SecondFactorPorts => {
  const totp = memoizeAsync(async () => (await import('../../adapters/tokens/otpauth-totp.ts')).otpauthTotp);
  return {
    factors: new DynamoSecondFactors(dynamoClient(), accountsTable()),
    users: users(),
    members: members(),
    hasher: passwordHashing(),
    secrets: secretBox(),
    totp,
    requiresSecondFactor: (workspaceId) => workspaces().requiresSecondFactor(workspaceId),
    random: randomBytes,
    clock: systemClock,
    ids: ulidIds,
    onWrongCode,
  };
});

/** The answer is the same where it cannot be counted. */
async function onWrongCode(user: Pick<User, 'userId' | 'workspaceId'>): Promise<void> {
  const { LIMITS_TABLE } = environment('LIMITS_TABLE');
  const client = dynamoClient();
  const counters = new DynamoDayCounters(client, LIMITS_TABLE);
  const outbox = new DynamoOutbox(client, accountsTable());
  await countWrongCode(user, { counters, outbox, users: users(), clock: systemClock }).catch((error: Error) =>
    logger().error('A wrong code was not counted', { error }),
  );
}

export function registerPorts(): RegisterPorts {
  return { ...loginPorts(), workspaces: accounts(), ids: ulidIds };
}

export function ownSessionPorts(): OwnSessionPorts {
  return { sessions: sessions(), users: users(), clock: systemClock };
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

const confirmations = memoize(() => new DynamoConfirmations(dynamoClient(), accountsTable()));

export function confirmationPorts() {
  return { ...memberPorts(), confirmations: confirmations() } satisfies ConfirmationPorts;
}

/** For the reset of a password, which may take a workspace from its other users. */
export function resetPorts() {
  const { APPLICATIONS_TABLE, CHANNELS_TABLE } = environment('APPLICATIONS_TABLE', 'CHANNELS_TABLE');
  const tables = { applications: APPLICATIONS_TABLE, channels: CHANNELS_TABLE };
  const credentials = new DynamoServiceCredentials(dynamoClient(), tables);
  const removeServiceCredentials = (workspaceId: string) => credentials.removeAll(workspaceId);
  const lockOutPorts = { ...memberPorts(), ...keyPorts(), removeServiceCredentials };
  return {
    ...passwordPorts(),
    confirmations: confirmations(),
    lockOutOthers: (workspaceId, userId, origin) => lockOutOthers(workspaceId, userId, origin, lockOutPorts),
  } satisfies PasswordPorts & ResetPorts;
}

/** Registrations that send a mail, a day. */
export function registrationBudget() {
  const settings = environment('REGISTRATIONS_PER_ADDRESS', 'REGISTRATIONS_IN_ALL');
  const { REGISTRATIONS_PER_ADDRESS: perClient, REGISTRATIONS_IN_ALL: inAll } = settings;
  return freeWorkOf({ name: 'registrations', perClient, inAll });
}

/** Mails of registrations to one address a day. Further ones are left out in silence: a refusal would keep its holder from registering. */
export function registrationMails() {
  return freeWorkOf({ name: 'registration-mails', perClient: REGISTRATION_MAILS_PER_DAY, inAll: 0 });
}

const REGISTRATION_MAILS_PER_DAY = 50;

/** The proof of a registered address: only the client's word. */
export function registeredAddress(): AddressProof {
  return environment('EMAIL_CONFIRMATION').EMAIL_CONFIRMATION ? 'to-be-confirmed' : 'unproved';
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
      const { FileSigningSecret } = await import('../../adapters/tokens/file-signing-secret.ts');
      return new FileSigningSecret(SIGNING_KEY_FILE);
    }
    if (SIGNING_KEY_SECRET === undefined) throw new Error('Neither SIGNING_KEY_SECRET nor SIGNING_KEY_FILE is set.');
    const [{ SecretsManagerClient }, { SecretsManagerSigningSecret }] = await Promise.all([
      import('@aws-sdk/client-secrets-manager'),
      import('../../adapters/tokens/secrets-manager-signing-secret.ts'),
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
