import type { Ids } from '../../shared/ports/ids.ts';
import type { Role } from '../../shared/principal.ts';
import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { AuthRefused } from './auth-refused.ts';
import { type Links, linkHash } from './link.ts';
import { type LoginPorts, requirePasswordLogin } from './log-in.ts';
import type { PasswordHasher } from './password.ts';
import type { LoginCredential, User, Users } from './user.ts';

/** An address that may join a workspace. */
export interface Invitation {
  readonly invitationId: string;
  readonly workspaceId: string;
  /** In its normal form. */
  readonly email: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly expiresAtMs: number;
}

/** Asks for the mail with the link of an invitation. */
export interface InvitationNotice {
  readonly noticeId: string;
  readonly kind: 'invitation';
  readonly workspaceId: string;
  readonly invitationId: string;
  readonly createdAt: string;
}

/** A new role or the removal of a member, and why not. */
export type MemberOutcome =
  | 'changed'
  | 'last_owner'
  /** Another change of the member came first. */
  | 'conflict';

export interface Members {
  list(workspaceId: string): Promise<User[]>;
  invitations(workspaceId: string): Promise<Invitation[]>;
  findInvitation(workspaceId: string, invitationId: string): Promise<Invitation | null>;
  /** Stores an invitation, what asks for its mail, and the audit entry: all or nothing. */
  invite(invitation: Invitation, notice: InvitationNotice, audit: AuditEntry): Promise<void>;
  /** @returns false when there is no such invitation. */
  withdraw(invitation: Invitation, audit: AuditEntry): Promise<boolean>;
  /** Makes the invited a member: all or nothing. */
  join(
    invitation: Invitation,
    user: User,
    credential: LoginCredential,
    audit: AuditEntry,
  ): Promise<'joined' | 'gone' | 'email_taken'>;
  changeRole(user: User, role: Role, audit: AuditEntry): Promise<MemberOutcome>;
  /** Removes the user and their credentials. Their address, and any identity linked to them, stay marked until an invitation is accepted. */
  remove(user: User, audit: AuditEntry): Promise<MemberOutcome>;
}

export interface MemberPorts extends AuditPorts {
  readonly members: Members;
  readonly users: Users;
  readonly ids: Ids;
}

const INVITATION_MS = 7 * 24 * 60 * 60_000;

/** @throws AuthRefused */
export async function invite(
  { workspaceId, email, role }: { readonly workspaceId: string; readonly email: string; readonly role: Role },
  origin: Origin,
  ports: MemberPorts,
): Promise<Invitation> {
  if ((await ports.users.findCredential(email)) !== null)
    throw new AuthRefused('email_taken', 'This e-mail address has an account already, and an address has one only.');
  const nowMs = ports.clock.now();
  const createdAt = new Date(nowMs).toISOString();
  const invitationId = ports.ids.next('inv');
  const invitation = { invitationId, workspaceId, email, role, createdAt, expiresAtMs: nowMs + INVITATION_MS };
  const noticeId = ports.ids.next('ntc');
  const audit = auditEntry(
    { workspaceId, action: 'member.invited', target: invitationId, details: { email, role } },
    origin,
    ports,
  );
  await ports.members.invite(invitation, { noticeId, kind: 'invitation', workspaceId, invitationId, createdAt }, audit);
  return invitation;
}

/** @throws AuthRefused */
export async function acceptInvitation(
  { token, password }: { readonly token: string; readonly password: string },
  originOf: (userId: string) => Origin,
  ports: MemberPorts & { readonly links: Links; readonly hasher: PasswordHasher } & Pick<LoginPorts, 'mustUseProvider'>,
): Promise<User> {
  const nowMs = ports.clock.now();
  const link = await ports.links.find(linkHash(token));
  const invitation =
    link?.kind === 'invitation' ? await ports.members.findInvitation(link.workspaceId, link.invitationId) : null;
  if (link === null || invitation === null || Math.min(link.expiresAtMs, invitation.expiresAtMs) <= nowMs)
    throw invalidLink();
  await requirePasswordLogin(invitation, ports);
  const { workspaceId, email, role } = invitation;
  const userId = ports.ids.next('usr');
  const user = { userId, workspaceId, email, role, sessionEpoch: 0, createdAt: new Date(nowMs).toISOString() };
  const credential = { email, userId, workspaceId, passwordHash: await ports.hasher.hash(password) };
  const audit = auditEntry(
    { workspaceId, action: 'member.joined', target: userId, details: { email, role } },
    originOf(userId),
    ports,
  );
  switch (await ports.members.join(invitation, user, credential, audit)) {
    case 'joined':
      return user;
    case 'gone':
      throw invalidLink();
    case 'email_taken':
      throw new AuthRefused('email_taken', 'This e-mail address has an account already, and an address has one only.');
  }
}

/** A member, by the id of a user. @throws AuthRefused for one of another workspace, too. */
export async function memberOf(workspaceId: string, userId: string, users: Users): Promise<User> {
  const user = await users.find(userId);
  if (user === null || user.workspaceId !== workspaceId) throw noSuchMember();
  return user;
}

/** @throws AuthRefused */
export async function changeRole(user: User, role: Role, origin: Origin, ports: MemberPorts): Promise<User> {
  if (user.role === role) return user;
  const details = { from: user.role, to: role };
  const { workspaceId, userId: target } = user;
  const audit = auditEntry({ workspaceId, action: 'member.changed', target, details }, origin, ports);
  requireChanged(await ports.members.changeRole(user, role, audit));
  return { ...user, role };
}

/** Removes a member, or withdraws an invitation. @throws AuthRefused */
export async function removeMember(workspaceId: string, id: string, origin: Origin, ports: MemberPorts): Promise<void> {
  const invitation = await ports.members.findInvitation(workspaceId, id);
  const audited = (email: string) =>
    auditEntry({ workspaceId, action: 'member.removed', target: id, details: { email } }, origin, ports);
  if (invitation !== null) {
    if (await ports.members.withdraw(invitation, audited(invitation.email))) return;
    throw noSuchMember();
  }
  const user = await memberOf(workspaceId, id, ports.users);
  requireChanged(await ports.members.remove(user, audited(user.email)));
}

function requireChanged(outcome: MemberOutcome): void {
  if (outcome === 'last_owner')
    throw new AuthRefused('last_owner', 'This is the last owner of the workspace: make another member an owner first.');
  if (outcome === 'conflict')
    throw new AuthRefused(
      'member_changed',
      'The member has changed since you read it. Read it again, and send your change once more.',
    );
}

function noSuchMember(): AuthRefused {
  return new AuthRefused('no_such_member', 'Member or invitation not found in this workspace. Check the id.');
}

export function invalidLink(): AuthRefused {
  return new AuthRefused('invalid_link', 'The link is unknown, was used already, or has expired. Ask for a new one.');
}
