import { type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { type KeyPorts, revokeKey } from './manage-keys.ts';
import { changeRole, type MemberPorts } from './members.ts';

export interface LockOutPorts extends AuditPorts, MemberPorts, Omit<KeyPorts, 'random'> {
  /** Takes back what services hand out: public access tokens, channels. */
  readonly removeServiceCredentials: (workspaceId: string) => Promise<void>;
}

/**
 * Takes a workspace from all users except one, whose address has just been proved: revokes every API key, removes every other member,
 * withdraws every invitation, and removes public access tokens and channels. It can be repeated.
 */
export async function lockOutOthers(
  workspaceId: string,
  userId: string,
  origin: Origin,
  ports: LockOutPorts,
): Promise<void> {
  const { members, ring } = ports;
  const { keys } = await ring.keysOf(workspaceId);
  for (const { id } of keys) await revokeKey(workspaceId, id, origin, ports);
  const everyone = await members.list(workspaceId);
  const me = everyone.find((member) => member.userId === userId);
  // Another member may have demoted the owner, or would be the last one.
  if (me !== undefined) await changeRole(me, 'owner', origin, ports);
  const removed = (target: string, email: string) =>
    auditEntry({ workspaceId, action: 'member.removed', target, details: { email } }, origin, ports);
  for (const member of everyone)
    if (member.userId !== userId) await members.remove(member, removed(member.userId, member.email));
  for (const invitation of await members.invitations(workspaceId))
    await members.withdraw(invitation, removed(invitation.invitationId, invitation.email));
  await ports.removeServiceCredentials(workspaceId);
}
