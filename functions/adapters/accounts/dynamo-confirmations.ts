import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { Confirmations, PendingCredential } from '../../accounts/domain/confirm-email.ts';
import type { ConfirmationNotice } from '../../accounts/domain/confirmation-notice.ts';
import type { LoginCredential } from '../../accounts/domain/user.ts';
import { and, equal, PRESENT } from '../dynamodb/expressions.ts';
import {
  accountKey,
  apiKeyKey,
  emailKey,
  entryKey,
  ownedApiKeyKey,
  pendingCredentialKey,
  signedInUserKey,
  userKey,
  workspaceKey,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';
import { outboxItem } from './dynamo-outbox.ts';

/** Addresses of owners that wait for their confirmation. */
export class DynamoConfirmations implements Confirmations {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async request(notice: ConfirmationNotice): Promise<void> {
    await this.#table.put(outboxItem(notice));
  }

  async findPending(userId: string): Promise<PendingCredential | null> {
    const item = await this.#table.get(pendingCredentialKey(userId));
    if (item === null) return null;
    const { pk, sk, expiresAt, ...pending } = item;
    return pending as unknown as PendingCredential;
  }

  async complete(pending: PendingCredential, audit: AuditEntry): Promise<'confirmed' | 'email_taken' | 'gone'> {
    const { email, userId, workspaceId, passwordHash, keyId } = pending;
    const table = this.#table;
    const stays = (key: Key) =>
      table.updatePart(key, { set: {}, remove: ['expiresAt', 'awaitsConfirmation'], condition: PRESENT });
    const cancelled = await transactOrRetry<string>(this.#client, [
      ['email', table.putPart({ ...emailKey(email), email, userId, workspaceId, passwordHash })],
      ['pending', table.deletePart(pendingCredentialKey(userId), equal('passwordHash', passwordHash))],
      ['workspace', stays(workspaceKey(workspaceId))],
      ['owner', stays(userKey(workspaceId, userId))],
      ['signed-in owner', stays(signedInUserKey(userId))],
      ['key', stays(apiKeyKey(keyId))],
      ['owned key', stays(ownedApiKeyKey(workspaceId, keyId))],
      ['account', stays(accountKey(workspaceId))],
      ['entry', stays(entryKey(workspaceId, 1))],
      ['audit', auditPart(table, audit)],
    ]);
    if (cancelled === null) return 'confirmed';
    return cancelled.failed('pending') || !cancelled.failed('email') ? 'gone' : 'email_taken';
  }

  async mark({ email, userId, passwordHash }: LoginCredential, audit: AuditEntry): Promise<boolean> {
    const cancelled = await transactOrRetry(this.#client, [
      [
        'email',
        this.#table.updatePart(emailKey(email), {
          set: {},
          remove: ['isUnconfirmed'],
          condition: and(equal('userId', userId), equal('passwordHash', passwordHash)),
        }),
      ],
      ['audit', auditPart(this.#table, audit)],
    ]);
    return cancelled === null;
  }
}
