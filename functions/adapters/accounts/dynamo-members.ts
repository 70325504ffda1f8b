import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { Invitation, InvitationNotice, MemberOutcome, Members } from '../../accounts/domain/members.ts';
import type { LoginCredential, User } from '../../accounts/domain/user.ts';
import type { Role } from '../../shared/principal.ts';
import { above, equal, PRESENT } from '../dynamodb/expressions.ts';
import {
  emailKey,
  epochSeconds,
  invitationKey,
  removedMemberKey,
  secondFactorKey,
  signedInUserKey,
  userKey,
  workspaceKey,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Item } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';
import { outboxItem } from './dynamo-outbox.ts';
import { userOf } from './dynamo-users.ts';

/**
 * Members and invitations of workspaces. A user is stored twice, in the workspace's partition and in a separate one, and the workspace
 * counts its owners: every change writes all of these in one transaction.
 */
export class DynamoMembers implements Members {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async list(workspaceId: string): Promise<User[]> {
    return (await this.#all(userKey(workspaceId, ''))).map(userOf);
  }

  async invitations(workspaceId: string): Promise<Invitation[]> {
    return (await this.#all(invitationKey(workspaceId, ''))).map(invitationOf);
  }

  async findInvitation(workspaceId: string, invitationId: string): Promise<Invitation | null> {
    const item = await this.#table.get(invitationKey(workspaceId, invitationId));
    return item && invitationOf(item);
  }

  async invite(invitation: Invitation, notice: InvitationNotice, audit: AuditEntry): Promise<void> {
    const { workspaceId, invitationId, expiresAtMs } = invitation;
    const item = { ...invitationKey(workspaceId, invitationId), ...invitation, expiresAt: epochSeconds(expiresAtMs) };
    const cancelled = await transactOrRetry(this.#client, [
      ['invitation', this.#table.putPart(item)],
      ['notice', this.#table.putPart(outboxItem(notice))],
      ['audit', auditPart(this.#table, audit)],
    ]);
    if (cancelled !== null)
      throw new Error(`Invitation ${invitationId} cannot be stored: a part of it exists already.`);
  }

  async withdraw({ workspaceId, invitationId }: Invitation, audit: AuditEntry): Promise<boolean> {
    const cancelled = await transactOrRetry(this.#client, [
      ['invitation', this.#table.deletePart(invitationKey(workspaceId, invitationId), PRESENT)],
      ['audit', auditPart(this.#table, audit)],
    ]);
    return cancelled === null;
  }

  async join(
    { workspaceId, invitationId }: Invitation,
    user: User,
    credential: LoginCredential,
    audit: AuditEntry,
  ): Promise<'joined' | 'gone' | 'email_taken'> {
    const table = this.#table;
    const cancelled = await transactOrRetry(this.#client, [
      ['invitation', table.deletePart(invitationKey(workspaceId, invitationId), PRESENT)],
      ['email', table.putPart({ ...emailKey(credential.email), ...credential })],
      ['removed', table.deletePart(removedMemberKey(workspaceId, credential.email))],
      ['user', table.putPart({ ...userKey(workspaceId, user.userId), ...user })],
      ['signed-in user', table.putPart({ ...signedInUserKey(user.userId), ...user })],
      ...(user.role === 'owner' ? [['owners', this.#countOwners(workspaceId, 1)] as const] : []),
      ['audit', auditPart(table, audit)],
    ]);
    if (cancelled === null) return 'joined';
    return cancelled.failed('email') ? 'email_taken' : 'gone';
  }

  changeRole(user: User, role: Role, audit: AuditEntry): Promise<MemberOutcome> {
    const change = { set: { role }, condition: equal('role', user.role) };
    const parts: [string, TransactItem][] = [
      ['user', this.#table.updatePart(userKey(user.workspaceId, user.userId), change)],
      ['signed-in user', this.#table.updatePart(signedInUserKey(user.userId), change)],
    ];
    return this.#change(user, Number(role === 'owner') - Number(user.role === 'owner'), parts, audit);
  }

  remove(user: User, audit: AuditEntry): Promise<MemberOutcome> {
    const condition = equal('role', user.role);
    const mark = { orCreate: true, set: { removedAt: audit.createdAt } } as const;
    const parts: [string, TransactItem][] = [
      ['user', this.#table.deletePart(userKey(user.workspaceId, user.userId), condition)],
      ['signed-in user', this.#table.deletePart(signedInUserKey(user.userId), condition)],
      ['email', this.#table.deletePart(emailKey(user.email), equal('userId', user.userId))],
      ['second factor', this.#table.deletePart(secondFactorKey(user.userId))],
      ['removed', this.#table.updatePart(removedMemberKey(user.workspaceId, user.email), mark)],
    ];
    return this.#change(user, user.role === 'owner' ? -1 : 0, parts, audit);
  }

  /** @param owners by how many the workspace has more of them afterwards. */
  async #change(
    { workspaceId }: User,
    owners: number,
    parts: readonly [string, TransactItem][],
    audit: AuditEntry,
  ): Promise<MemberOutcome> {
    const cancelled = await transactOrRetry<string>(this.#client, [
      ...parts,
      ...(owners === 0 ? [] : [['owners', this.#countOwners(workspaceId, owners)] as const]),
      ['audit', auditPart(this.#table, audit)],
    ]);
    if (cancelled === null) return 'changed';
    return cancelled.failed('owners') ? 'last_owner' : 'conflict';
  }

  #countOwners(workspaceId: string, by: number): TransactItem {
    const change = { set: {}, increment: { ownerCount: by }, ...(by < 0 && { condition: above('ownerCount', 1) }) };
    return this.#table.updatePart(workspaceKey(workspaceId), change);
  }

  async #all({ pk: partition, sk: prefix }: { readonly pk: string; readonly sk: string }): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this.#table.query({ partition, prefix })) items.push(item);
    return items;
  }
}

function invitationOf({ pk, sk, expiresAt, ...invitation }: Item): Invitation {
  return invitation as unknown as Invitation;
}
