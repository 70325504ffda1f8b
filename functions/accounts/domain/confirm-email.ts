import type { Ids } from '../../shared/ports/ids.ts';
import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { AuthRefused } from './auth-refused.ts';
import { type ConfirmationNotice, confirmationNotice } from './confirmation-notice.ts';
import { type Links, linkHash } from './link.ts';
import { invalidLink } from './members.ts';
import type { PasswordHasher } from './password.ts';
import type { LoginCredential, User, Users } from './user.ts';

/** Credential of an owner with an unconfirmed address: it cannot log in before the confirmation. */
export interface PendingCredential extends LoginCredential {
  /** The workspace's first key, which waits too. */
  readonly keyId: string;
}

export interface Confirmations {
  request(notice: ConfirmationNotice): Promise<void>;
  findPending(userId: string): Promise<PendingCredential | null>;
  /** Gives the address to the pending account: all or nothing. */
  complete(pending: PendingCredential, audit: AuditEntry): Promise<'confirmed' | 'email_taken' | 'gone'>;
  /** Marks the credential of an account that was in use without a confirmation. @returns false when it has changed. */
  mark(credential: LoginCredential, audit: AuditEntry): Promise<boolean>;
}

export interface ConfirmationPorts extends AuditPorts {
  readonly confirmations: Confirmations;
  readonly users: Users;
}

/** Sends the mail of a confirmation again. @throws AuthRefused where there is nothing to confirm. */
export async function requestConfirmation(
  userId: string,
  { confirmations, users, clock, ids }: Omit<ConfirmationPorts, 'audit'> & { readonly ids: Ids },
): Promise<void> {
  const unconfirmed = await unconfirmedOf(userId, { confirmations, users });
  if (unconfirmed === null) throw new AuthRefused('already_confirmed', 'Your e-mail address is confirmed already.');
  const createdAt = new Date(clock.now()).toISOString();
  await confirmations.request(confirmationNotice({ userId, email: unconfirmed.email, createdAt }, ids));
}

/**
 * Confirms an address by the mailed link and the password of the registration. With the link alone, an attacker could register another
 * person's address, and wait until that person follows the link.
 * @throws AuthRefused
 */
export async function confirmEmail(
  { token, password }: { readonly token: string; readonly password: string },
  originOf: (userId: string) => Origin,
  ports: ConfirmationPorts & { readonly links: Links; readonly hasher: PasswordHasher },
): Promise<User> {
  const { confirmations, hasher, clock } = ports;
  const link = await ports.links.find(linkHash(token));
  if (link?.kind !== 'confirmation' || link.expiresAtMs <= clock.now()) throw invalidLink();
  const unconfirmed = await unconfirmedOf(link.userId, ports);
  if (unconfirmed === null) throw invalidLink();
  if (!(await hasher.verify(unconfirmed.passwordHash, password)))
    throw new AuthRefused(
      'wrong_credentials',
      'This is not the password of the registration. If it was not you who registered the address, ignore the mail.',
      unconfirmed,
    );
  const { workspaceId, userId: target } = unconfirmed;
  const audit = auditEntry({ workspaceId, action: 'email.confirmed', target }, originOf(target), ports);
  const outcome =
    'keyId' in unconfirmed
      ? await confirmations.complete(unconfirmed, audit)
      : (await confirmations.mark(unconfirmed, audit)) && 'confirmed';
  if (outcome === 'email_taken')
    throw new AuthRefused(
      'email_taken',
      'This e-mail address has got an account meanwhile. Log in, or reset the password.',
    );
  const user = outcome === 'confirmed' ? await ports.users.find(target) : null;
  if (user === null) throw invalidLink();
  return user;
}

async function unconfirmedOf(
  userId: string,
  { confirmations, users }: Pick<ConfirmationPorts, 'confirmations' | 'users'>,
): Promise<PendingCredential | LoginCredential | null> {
  const pending = await confirmations.findPending(userId);
  if (pending !== null) return pending;
  const user = await users.find(userId);
  const credential = user && (await users.findCredential(user.email));
  return credential?.userId === userId && credential.isUnconfirmed ? credential : null;
}
