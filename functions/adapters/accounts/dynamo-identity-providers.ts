import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type {
  IdentityLink,
  IdentityProvider,
  IdentityProviders,
  ProvedDomain,
  SignInFlow,
} from '../../accounts/domain/identity-provider.ts';
import type { Invitation } from '../../accounts/domain/members.ts';
import type { LoginCredential, User } from '../../accounts/domain/user.ts';
import { ABSENT, type Condition, equal, or, PRESENT } from '../dynamodb/expressions.ts';
import {
  emailKey,
  epochSeconds,
  identityKey,
  identityOfUserKey,
  identityProviderKey,
  invitationKey,
  provedDomainKey,
  removedMemberKey,
  signedInUserKey,
  signInFlowKey,
  userKey,
  workspaceKey,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Item, type Key } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';

type Part = readonly [string, TransactItem];

const ANY = or(ABSENT, PRESENT);

/** Identity providers, the domains that workspaces have proved, and the members that their people are. */
export class DynamoIdentityProviders implements IdentityProviders {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  find(workspaceId: string): Promise<IdentityProvider | null> {
    return this.#get(identityProviderKey(workspaceId));
  }

  save(after: IdentityProvider, freed: readonly ProvedDomain[], audit: AuditEntry): Promise<boolean> {
    const item = { ...identityProviderKey(after.workspaceId), ...after };
    const condition = after.version === 1 ? ABSENT : equal('version', after.version - 1);
    return this.#change([['provider', this.#table.putPart(item, condition)], ...this.#freeParts(freed)], audit);
  }

  remove({ workspaceId, version }: IdentityProvider, freed: readonly ProvedDomain[], audit: AuditEntry) {
    const provider = this.#table.deletePart(identityProviderKey(workspaceId), equal('version', version));
    return this.#change([['provider', provider], ...this.#freeParts(freed)], audit);
  }

  proofOf(domain: string): Promise<ProvedDomain | null> {
    return this.#get(provedDomainKey(domain));
  }

  prove(
    proof: ProvedDomain,
    former: ProvedDomain | null,
    { workspaceId, version }: IdentityProvider,
    audit: AuditEntry,
  ): Promise<boolean> {
    const item = { ...provedDomainKey(proof.domain), ...proof };
    const condition = former === null ? ABSENT : equal('token', former.token);
    return this.#change(
      [
        ['provider', this.#table.checkPart(identityProviderKey(workspaceId), equal('version', version))],
        ['domain', this.#table.putPart(item, condition)],
      ],
      audit,
    );
  }

  async beginFlow(flow: SignInFlow): Promise<void> {
    const item = { ...signInFlowKey(flow.stateHash), ...flow, expiresAt: epochSeconds(flow.expiresAtMs) };
    await this.#table.put(item, ABSENT);
  }

  async takeFlow(stateHash: string): Promise<SignInFlow | null> {
    const flow = await this.#get<SignInFlow>(signInFlowKey(stateHash));
    return flow !== null && (await this.#table.delete(signInFlowKey(stateHash), PRESENT)) ? flow : null;
  }

  async wasRemoved(workspaceId: string, email: string): Promise<boolean> {
    return (await this.#table.get(removedMemberKey(workspaceId, email))) !== null;
  }

  linkByIdentity(workspaceId: string, identityHash: string): Promise<IdentityLink | null> {
    return this.#get(identityKey(workspaceId, identityHash));
  }

  linkOfUser(workspaceId: string, userId: string): Promise<IdentityLink | null> {
    return this.#get(identityOfUserKey(workspaceId, userId));
  }

  link(after: IdentityLink, before: IdentityLink | null, audit: AuditEntry): Promise<boolean> {
    const unchanged = before === null ? ABSENT : equal('identityHash', before.identityHash);
    return this.#change(this.#linkParts(after, unchanged), audit);
  }

  async join(
    user: User,
    credential: LoginCredential,
    link: IdentityLink,
    invitation: Invitation | null,
    audit: AuditEntry,
  ): Promise<'joined' | 'email_taken' | 'conflict'> {
    const { workspaceId, userId } = user;
    const table = this.#table;
    const isOwner = user.role === 'owner';
    const removed = removedMemberKey(workspaceId, user.email);
    const workspace = isOwner
      ? table.updatePart(workspaceKey(workspaceId), { set: {}, increment: { ownerCount: 1 }, condition: PRESENT })
      : table.checkPart(workspaceKey(workspaceId), PRESENT);
    const cancelled = await transactOrRetry<string>(this.#client, [
      ...this.#acceptParts(invitation),
      ['removed', invitation === null ? table.checkPart(removed, ABSENT) : table.deletePart(removed)],
      ['email', table.putPart({ ...emailKey(credential.email), ...credential })],
      ['user', table.putPart({ ...userKey(workspaceId, userId), ...user })],
      ['signed-in user', table.putPart({ ...signedInUserKey(userId), ...user })],
      ['workspace', workspace],
      ...this.#linkParts(link, ABSENT),
      ['audit', auditPart(table, audit)],
    ]);
    if (cancelled === null) return 'joined';
    return cancelled.failed('email') ? 'email_taken' : 'conflict';
  }

  async endSessions({ workspaceId, userId }: User): Promise<void> {
    // A member who was removed meanwhile has none.
    const change = { set: {}, increment: { sessionEpoch: 1 }, condition: PRESENT };
    await transactOrRetry(this.#client, [
      ['user', this.#table.updatePart(userKey(workspaceId, userId), change)],
      ['signed-in user', this.#table.updatePart(signedInUserKey(userId), change)],
    ]);
  }

  #acceptParts(invitation: Invitation | null): Part[] {
    if (invitation === null) return [];
    const key = invitationKey(invitation.workspaceId, invitation.invitationId);
    return [['invitation', this.#table.deletePart(key, PRESENT)]];
  }

  /** The identity may have been a removed member's: its place is taken. */
  #linkParts(link: IdentityLink, unchanged: Condition): Part[] {
    const { workspaceId, identityHash, userId } = link;
    return [
      ['identity', this.#table.putPart({ ...identityKey(workspaceId, identityHash), ...link }, ANY)],
      ['identity of user', this.#table.putPart({ ...identityOfUserKey(workspaceId, userId), ...link }, unchanged)],
    ];
  }

  #freeParts(freed: readonly ProvedDomain[]): Part[] {
    return freed.map(({ domain, token }) => [
      `domain ${domain}`,
      this.#table.deletePart(provedDomainKey(domain), equal('token', token)),
    ]);
  }

  async #change(parts: readonly Part[], audit: AuditEntry): Promise<boolean> {
    const cancelled = await transactOrRetry<string>(this.#client, [...parts, ['audit', auditPart(this.#table, audit)]]);
    return cancelled === null;
  }

  async #get<T>(key: Key): Promise<T | null> {
    const item = await this.#table.get(key);
    if (item === null) return null;
    const { pk, sk, expiresAt, ...record } = item satisfies Item;
    return record as T;
  }
}
