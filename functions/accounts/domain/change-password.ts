import type { Ids } from '../../shared/ports/ids.ts';
import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { AuthRefused } from './auth-refused.ts';
import type { Confirmations } from './confirm-email.ts';
import { type Links, linkHash, passwordDigest } from './link.ts';
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

export interface Passwords {
  /** Stores a notice in the outbox: one write, for any address. */
  requestReset(notice: PasswordResetNotice): Promise<void>;
  /**
   * Stores a new hash and ends all sessions of the user: all or nothing.
   * @returns false when the password has changed meanwhile.
   */
  change(before: LoginCredential, passwordHash: string, change: { readonly audit: AuditEntry }): Promise<boolean>;
}

export interface PasswordPorts extends AuditPorts {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly hasher: PasswordHasher;
}

export interface ResetPorts {
  readonly links: Links;
  readonly confirmations: Pick<Confirmations, 'mark'>;
  readonly lockOutOthers: LockOutOthers;
}

/** Takes the workspace from all other users: keys, members, invitations. */
export type LockOutOthers = (workspaceId: string, userId: string, origin: Origin) => Promise<void>;

/** Asks for a reset. The client learns nothing about the address: only the mail does. */
export async function requestReset(
  email: string,
  { passwords, clock, ids }: Pick<PasswordPorts, 'passwords' | 'clock'> & { readonly ids: Ids },
): Promise<void> {
  const createdAt = new Date(clock.now()).toISOString();
  await passwords.requestReset({ noticeId: ids.next('ntc'), kind: 'password_reset', email, createdAt });
}

/**
 * Sets the password of the user who received the link. All their sessions end, and all other links with the replaced password. The first
 * reset of an unconfirmed account proves the address: its creator may be another person, so that no access to its workspace survives.
 * @throws AuthRefused
 */
export async function resetPassword(
  { token, password }: { readonly token: string; readonly password: string },
  originOf: (userId: string) => Origin,
  ports: PasswordPorts & ResetPorts,
): Promise<void> {
  const nowMs = ports.clock.now();
  const link = await ports.links.find(linkHash(token));
  // A link of an earlier version names no address.
  if (link?.kind !== 'password_reset' || link.expiresAtMs <= nowMs || !link.email) throw invalidLink();
  const credential = await ports.users.findCredential(link.email);
  if (credential?.userId !== link.userId || passwordDigest(credential.passwordHash) !== link.passwordDigest)
    throw invalidLink();
  const { workspaceId, userId: target, isUnconfirmed } = credential;
  const locksOut = async () => {
    if (isUnconfirmed) await ports.lockOutOthers(workspaceId, target, originOf(target));
  };
  // Before, or a key that is left could be used up to the end; and after, since it could have made another one meanwhile.
  await locksOut();
  const audit = auditEntry({ workspaceId, action: 'password.reset', target }, originOf(target), ports);
  const passwordHash = await ports.hasher.hash(password);
  if (!(await ports.passwords.change(credential, passwordHash, { audit }))) throw invalidLink();
  if (!isUnconfirmed) return;
  await locksOut();
  const confirmed = auditEntry({ workspaceId, action: 'email.confirmed', target }, originOf(target), ports);
  // Last: where this is cut short, the account stays unconfirmed, and the next reset starts anew.
  await ports.confirmations.mark({ ...credential, passwordHash }, confirmed);
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
  if (!(await ports.passwords.change(credential, passwordHash, { audit })))
    throw new AuthRefused('member_changed', 'Your password has changed since you sent this. Log in with the new one.');
  // Not read anew: after a further change, it would vouch for a session of the replaced password.
  return { ...user, sessionEpoch: user.sessionEpoch + 1 };
}
