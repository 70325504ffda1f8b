import type { Ids } from '../../shared/ports/ids.ts';
import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { AuthRefused } from './auth-refused.ts';
import { type Links, linkHash } from './link.ts';
import { invalidLink } from './members.ts';
import type { PasswordHasher } from './password.ts';
import type { LoginCredential, User, Users } from './user.ts';

/** Asks for the mail with the link of a password reset, whether the address is registered or not. */
export interface PasswordResetNotice {
  readonly noticeId: string;
  readonly kind: 'password_reset';
  /** In its normal form. */
  readonly email: string;
  readonly createdAt: string;
}

/** The one reset of a user that waits for its link to be used. */
export interface PasswordReset {
  readonly userId: string;
  readonly resetId: string;
  readonly email: string;
  readonly expiresAtMs: number;
}

export interface Passwords {
  /** Stores a notice in the outbox: one write, whatever the address. */
  requestReset(notice: PasswordResetNotice): Promise<void>;
  findReset(userId: string): Promise<PasswordReset | null>;
  /** Replaces an earlier reset of the user, whose links are dead from then on. */
  putReset(reset: PasswordReset): Promise<void>;
  /**
   * Stores a new hash and ends all sessions of the user: all or nothing. @param reset is used up by it.
   * @returns false when password or reset have changed meanwhile.
   */
  change(
    before: LoginCredential,
    passwordHash: string,
    change: { readonly reset: PasswordReset | null; readonly audit: AuditEntry },
  ): Promise<boolean>;
}

export interface PasswordPorts extends AuditPorts {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly hasher: PasswordHasher;
}

/** Asks for a reset. What the address is, the client does not learn: only the mail tells. */
export async function requestReset(
  email: string,
  { passwords, clock, ids }: Pick<PasswordPorts, 'passwords' | 'clock'> & { readonly ids: Ids },
): Promise<void> {
  const createdAt = new Date(clock.now()).toISOString();
  await passwords.requestReset({ noticeId: ids.next('ntc'), kind: 'password_reset', email, createdAt });
}

/** Sets the password of the user whom a link was mailed to. All their sessions end. @throws AuthRefused */
export async function resetPassword(
  { token, password }: { readonly token: string; readonly password: string },
  originOf: (userId: string) => Origin,
  ports: PasswordPorts & { readonly links: Links },
): Promise<void> {
  const nowMs = ports.clock.now();
  const link = await ports.links.find(linkHash(token));
  const reset = link?.kind === 'password_reset' ? await ports.passwords.findReset(link.userId) : null;
  if (link?.kind !== 'password_reset' || reset?.resetId !== link.resetId || reset.expiresAtMs <= nowMs)
    throw invalidLink();
  const credential = await ports.users.findCredential(reset.email);
  if (credential?.userId !== link.userId) throw invalidLink();
  const { workspaceId, userId: target } = credential;
  const audit = auditEntry({ workspaceId, action: 'password.reset', target }, originOf(target), ports);
  const passwordHash = await ports.hasher.hash(password);
  if (!(await ports.passwords.change(credential, passwordHash, { reset, audit }))) throw invalidLink();
}

/** Changes the password of a user who knows it. All their sessions end. @returns the user with the new epoch. @throws AuthRefused */
export async function changePassword(
  userId: string,
  { current, next }: { readonly current: string; readonly next: string },
  origin: Origin,
  ports: PasswordPorts,
): Promise<User> {
  const user = await ports.users.find(userId);
  const credential = user && (await ports.users.findCredential(user.email));
  if (!user || !credential || !(await ports.hasher.verify(credential.passwordHash, current)))
    throw new AuthRefused('wrong_password', 'current_password is not your password.');
  const { workspaceId } = credential;
  const audit = auditEntry({ workspaceId, action: 'password.changed', target: userId }, origin, ports);
  const passwordHash = await ports.hasher.hash(next);
  if (!(await ports.passwords.change(credential, passwordHash, { reset: null, audit })))
    throw new AuthRefused('member_changed', 'Your password was changed at the same moment. Log in with the new one.');
  // Not read anew: after a further change, it would vouch for a session of the replaced password.
  return { ...user, sessionEpoch: user.sessionEpoch + 1 };
}
