import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { SealedSecret, SecretBox } from '../../shared/ports/secret-box.ts';
import type { Principal } from '../../shared/principal.ts';
import { type AuditEntry, type AuditPorts, auditEntry, type Origin, SYSTEM_ORIGIN } from './audit.ts';
import { AuthRefused } from './auth-refused.ts';
import type { Members } from './members.ts';
import type { PasswordHasher } from './password.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import type { User, Users } from './user.ts';

/** Time-based one-time passwords (RFC 6238). */
export interface Totp {
  /** In base32. */
  newSecret(random: RandomBytes): string;
  /** `otpauth://totp/…`, which apps read from a QR code. */
  uri(secret: string, email: string, issuer: string): string;
  /** The time step of a code that is good now; null for any other code. */
  stepOf(secret: string, code: string, nowMs: number): number | null;
}

/** The second factor of a user. */
export interface SecondFactor {
  readonly userId: string;
  readonly workspaceId: string;
  readonly secret: SealedSecret;
  /** False until its first code. */
  readonly isOn: boolean;
  /** Step of the last code: no code of it, or of an earlier one, is good again. */
  readonly lastStep: number;
  /** Codes that were not used. */
  readonly recoveryHashes: readonly string[];
  /** When it was switched on, ISO; null before. */
  readonly confirmedAt: string | null;
  /** A change names the version that it was computed from. */
  readonly version: number;
}

export interface SecondFactors {
  /** Strongly consistent. */
  find(userId: string): Promise<SecondFactor | null>;
  /** Stores one that waits for its first code, in place of another one that does. @returns false where one is on. */
  begin(factor: SecondFactor): Promise<boolean>;
  /** Stores a use of a code. @returns false when another change came first. */
  change(after: SecondFactor, audit: AuditEntry | null): Promise<boolean>;
  /** Switches it on and ends all sessions of the user: one transaction. @returns false when another change came first. */
  enable(after: SecondFactor, audit: AuditEntry): Promise<boolean>;
  /** Removes it: one transaction. @returns false when another change came first. */
  disable(before: SecondFactor, audit: AuditEntry): Promise<boolean>;
  /** Ends the sessions of a user without one. */
  endSessions(user: User): Promise<void>;
}

export interface SecondFactorPorts extends AuditPorts {
  readonly factors: SecondFactors;
  readonly users: Users;
  readonly members: Pick<Members, 'list'>;
  readonly hasher: PasswordHasher;
  readonly secrets: SecretBox;
  /** Loaded with the first use: most logins need none. */
  readonly totp: () => Promise<Totp>;
  readonly requiresSecondFactor: (workspaceId: string) => Promise<boolean>;
  readonly random: RandomBytes;
  /** Called with each wrong code of a factor that is on. */
  readonly onWrongCode: (user: Pick<User, 'userId' | 'workspaceId'>) => Promise<void>;
}

export interface Enrolment {
  /** In base32, for apps without a camera. */
  readonly secret: string;
  readonly uri: string;
}

/** Starts an enrolment, which the first code confirms. @throws AuthRefused */
export async function beginEnrolment(userId: string, password: string, ports: SecondFactorPorts): Promise<Enrolment> {
  const { factors, secrets, random } = ports;
  const user = await userWithPassword(userId, password, ports);
  const totp = await ports.totp();
  const secret = totp.newSecret(random);
  const { workspaceId, email } = user;
  const sealed = await secrets.seal(secret, contextOf(userId));
  const waiting = { lastStep: 0, recoveryHashes: [], confirmedAt: null, version: 1 };
  if (!(await factors.begin({ userId, workspaceId, secret: sealed, isOn: false, ...waiting })))
    throw new AuthRefused(
      'second_factor_on',
      'A second factor is on already. Disable it before you enrol another one.',
    );
  return { secret, uri: totp.uri(secret, email, ISSUER) };
}

/**
 * Switches a second factor on by its first code. All sessions of the user end.
 * @returns the user with the new epoch, and the recovery codes, which are shown this once. @throws AuthRefused
 */
export async function confirmEnrolment(
  userId: string,
  code: string,
  origin: Origin,
  ports: SecondFactorPorts,
): Promise<{ readonly user: User; readonly recoveryCodes: readonly string[] }> {
  const [user, factor] = await Promise.all([ports.users.find(userId), ports.factors.find(userId)]);
  if (user === null || factor === null)
    throw new AuthRefused(
      'second_factor_off',
      'No enrolment has started. Start one with POST /api/v1/auth/second-factor.',
    );
  if (factor.isOn) throw new AuthRefused('second_factor_on', 'Your second factor is on already.');
  const step = await stepOf(factor, code, ports);
  if (step === null) throw wrongCode();
  const recoveryCodes = newRecoveryCodes(ports.random);
  const audit = auditOf('second_factor.enabled', factor, origin, ports);
  const on = {
    ...factor,
    isOn: true,
    lastStep: step,
    confirmedAt: audit.createdAt,
    recoveryHashes: recoveryCodes.map(recoveryHash),
    version: factor.version + 1,
  };
  if (!(await ports.factors.enable(on, audit))) throw wrongCode();
  return { user: { ...user, secondFactor: true, sessionEpoch: user.sessionEpoch + 1 }, recoveryCodes };
}

/** As often as other logins of the same user may come first. */
const MAX_ATTEMPTS = 3;

/**
 * Checks a code of a user's second factor and uses it up: a code is good once, and so is a recovery code. @throws AuthRefused
 */
export async function requireCode(
  { userId, workspaceId }: Pick<User, 'userId' | 'workspaceId'>,
  code: string | undefined,
  ports: SecondFactorPorts,
): Promise<SecondFactor> {
  if (code === undefined)
    throw new AuthRefused(
      'second_factor_required',
      'Send the six digits of your authenticator app as code, or one of your recovery codes.',
    );
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const factor = await ports.factors.find(userId);
    if (!factor?.isOn) break;
    const used = await useOf(factor, code, ports);
    if (used === null) break;
    const isRecovery = used.lastStep === factor.lastStep;
    const origin = { ...SYSTEM_ORIGIN, actor: { kind: 'user', id: userId } } as const;
    const audit = isRecovery ? auditOf('second_factor.recovery_used', factor, origin, ports) : null;
    if (await ports.factors.change(used, audit)) return used;
  }
  await ports.onWrongCode({ userId, workspaceId });
  throw wrongCode({ userId, workspaceId });
}

/** Replaces all recovery codes. @throws AuthRefused */
export async function replaceRecoveryCodes(
  user: Pick<User, 'userId' | 'workspaceId'>,
  code: string,
  origin: Origin,
  ports: SecondFactorPorts,
): Promise<readonly string[]> {
  await requireOn(user.userId, ports);
  const factor = await requireCode(user, code, ports);
  const recoveryCodes = newRecoveryCodes(ports.random);
  const replaced = { ...factor, recoveryHashes: recoveryCodes.map(recoveryHash), version: factor.version + 1 };
  if (!(await ports.factors.change(replaced, auditOf('second_factor.recovery_replaced', factor, origin, ports))))
    throw changedMeanwhile();
  return recoveryCodes;
}

/** Removes the second factor of a user who has it and knows the password. @throws AuthRefused */
export async function disableSecondFactor(
  user: Pick<User, 'userId' | 'workspaceId'>,
  { password, code }: { readonly password: string; readonly code: string },
  origin: Origin,
  ports: SecondFactorPorts,
): Promise<void> {
  await requireOn(user.userId, ports);
  if (await ports.requiresSecondFactor(user.workspaceId))
    throw new AuthRefused('second_factor_enforced', 'Your workspace requires a second factor of every member.');
  await userWithPassword(user.userId, password, ports);
  const factor = await requireCode(user, code, ports);
  if (!(await ports.factors.disable(factor, auditOf('second_factor.disabled', factor, origin, ports))))
    throw changedMeanwhile();
}

/** An owner who requires a second factor has one. @throws AuthRefused */
export async function requireOwnFactor(
  { kind, id }: Pick<Principal, 'kind' | 'id'>,
  { users }: Pick<SecondFactorPorts, 'users'>,
): Promise<void> {
  const user = kind === 'user' ? await users.find(id) : null;
  if (!user?.secondFactor)
    throw new AuthRefused(
      'second_factor_missing',
      'require_second_factor: log in as an owner and enrol your own second factor first, or you would be locked out.',
    );
}

/** Ends the sessions of all members without a second factor. A repetition does no harm. */
export async function endSessionsWithoutFactor(
  workspaceId: string,
  { members, factors }: Pick<SecondFactorPorts, 'members' | 'factors'>,
): Promise<void> {
  for (const user of await members.list(workspaceId)) if (!user.secondFactor) await factors.endSessions(user);
}

const ISSUER = 'Tripod';

const contextOf = (userId: string): string => `second factor of ${userId}`;

async function stepOf(
  { secret, userId }: SecondFactor,
  code: string,
  { secrets, totp, clock }: SecondFactorPorts,
): Promise<number | null> {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const [{ stepOf: step }, opened] = await Promise.all([totp(), secrets.open(secret, contextOf(userId))]);
  return step(opened, digits, clock.now());
}

/** The factor after the use of a code; null for a code that is wrong, or was used. */
async function useOf(factor: SecondFactor, code: string, ports: SecondFactorPorts): Promise<SecondFactor | null> {
  const version = factor.version + 1;
  const step = await stepOf(factor, code, ports);
  if (step !== null) return step > factor.lastStep ? { ...factor, lastStep: step, version } : null;
  const hash = recoveryHash(code);
  if (!factor.recoveryHashes.includes(hash)) return null;
  return { ...factor, recoveryHashes: factor.recoveryHashes.filter((each) => each !== hash), version };
}

async function userWithPassword(
  userId: string,
  password: string,
  { users, hasher }: Pick<SecondFactorPorts, 'users' | 'hasher'>,
): Promise<User> {
  const user = await users.find(userId);
  const credential = user && (await users.findCredential(user.email));
  if (!user || !credential || !(await hasher.verify(credential.passwordHash, password)))
    throw new AuthRefused('wrong_password', 'current_password is not your password.');
  return user;
}

async function requireOn(userId: string, { factors }: Pick<SecondFactorPorts, 'factors'>): Promise<void> {
  if ((await factors.find(userId))?.isOn) return;
  throw new AuthRefused('second_factor_off', 'You have no second factor.');
}

function auditOf(
  action: Extract<AuditEntry['action'], `second_factor.${string}`>,
  { workspaceId, userId: target }: SecondFactor,
  origin: Origin,
  ports: AuditPorts,
): AuditEntry {
  return auditEntry({ workspaceId, action, target }, origin, ports);
}

function wrongCode(subject: AuthRefused['subject'] = null): AuthRefused {
  return new AuthRefused(
    'wrong_code',
    'The code is wrong, or was used before. Wait for the next one of your authenticator app, and check its clock.',
    subject,
  );
}

function changedMeanwhile(): AuthRefused {
  return new AuthRefused('member_changed', 'Your second factor has changed since you sent this. Send it again.');
}
