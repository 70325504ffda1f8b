import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { SecondFactor, SecondFactors } from '../../accounts/domain/second-factor.ts';
import type { User } from '../../accounts/domain/user.ts';
import { ABSENT, and, equal, missing, or, PRESENT } from '../dynamodb/expressions.ts';
import { secondFactorKey, signedInUserKey, userKey } from '../dynamodb/keys.ts';
import { DynamoTable, type Item } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';

/** Second factors, with the mark on both copies of their user that logins need one. */
export class DynamoSecondFactors implements SecondFactors {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async find(userId: string): Promise<SecondFactor | null> {
    const item = await this.#table.get(secondFactorKey(userId));
    return item && factorOf(item);
  }

  async begin(factor: SecondFactor): Promise<boolean> {
    const item = { ...secondFactorKey(factor.userId), ...factor };
    return (await this.#table.put(item, or(ABSENT, equal('isOn', false)))).written;
  }

  async change(after: SecondFactor, audit: AuditEntry | null): Promise<boolean> {
    const cancelled = await transactOrRetry(this.#client, [
      ['factor', this.#replacePart(after)],
      ...(audit === null ? [] : [['audit', auditPart(this.#table, audit)] as const]),
    ]);
    return cancelled === null;
  }

  async enable(after: SecondFactor, audit: AuditEntry): Promise<boolean> {
    const marked = { set: { secondFactor: true }, increment: { sessionEpoch: 1 }, condition: PRESENT };
    const cancelled = await transactOrRetry<string>(this.#client, [
      ['factor', this.#replacePart(after)],
      ...this.#userParts(after, marked),
      ['audit', auditPart(this.#table, audit)],
    ]);
    return cancelled === null;
  }

  async disable(before: SecondFactor, audit: AuditEntry): Promise<boolean> {
    const cancelled = await transactOrRetry<string>(this.#client, [
      ['factor', this.#table.deletePart(secondFactorKey(before.userId), equal('version', before.version))],
      ...this.#userParts(before, { set: {}, remove: ['secondFactor'], condition: PRESENT }),
      ['audit', auditPart(this.#table, audit)],
    ]);
    return cancelled === null;
  }

  async endSessions(user: User): Promise<void> {
    // A user who has enrolled meanwhile, or was removed, keeps what they have.
    const ended = { set: {}, increment: { sessionEpoch: 1 }, condition: and(PRESENT, missing('secondFactor')) };
    await transactOrRetry<string>(this.#client, this.#userParts(user, ended));
  }

  /** The record that a change was computed for has the version before. */
  #replacePart(after: SecondFactor): TransactItem {
    const item = { ...secondFactorKey(after.userId), ...after };
    return this.#table.putPart(item, equal('version', after.version - 1));
  }

  #userParts(
    { userId, workspaceId }: Pick<User, 'userId' | 'workspaceId'>,
    change: Parameters<DynamoTable['updatePart']>[1],
  ): (readonly [string, TransactItem])[] {
    return [
      ['user', this.#table.updatePart(userKey(workspaceId, userId), change)],
      ['signed-in user', this.#table.updatePart(signedInUserKey(userId), change)],
    ];
  }
}

function factorOf({ pk, sk, ...factor }: Item): SecondFactor {
  return factor as unknown as SecondFactor;
}
