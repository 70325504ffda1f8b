import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { PasswordResetNotice, Passwords } from '../../accounts/domain/change-password.ts';
import type { Link, Links } from '../../accounts/domain/link.ts';
import type { LoginCredential } from '../../accounts/domain/user.ts';
import { and, equal } from '../dynamodb/expressions.ts';
import { emailKey, epochSeconds, linkKey, signedInUserKey, userKey } from '../dynamodb/keys.ts';
import { DynamoTable, type Item } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';
import { outboxItem } from './dynamo-outbox.ts';

/** Passwords, and the links of mails. */
export class DynamoPasswords implements Passwords, Links {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async find(hash: string): Promise<Link | null> {
    const item = await this.#table.get(linkKey(hash));
    return item && (recordOf(item) as unknown as Link);
  }

  async put(link: Link): Promise<void> {
    await this.#table.put({ ...linkKey(link.hash), ...link, expiresAt: epochSeconds(link.expiresAtMs) });
  }

  async requestReset(notice: PasswordResetNotice): Promise<void> {
    await this.#table.put(outboxItem(notice));
  }

  async change(
    { email, userId, workspaceId, passwordHash: before }: LoginCredential,
    passwordHash: string,
    { audit }: { readonly audit: AuditEntry },
  ): Promise<boolean> {
    const table = this.#table;
    const nextEpoch = { set: {}, increment: { sessionEpoch: 1 } };
    const cancelled = await transactOrRetry(this.#client, [
      [
        'password',
        table.updatePart(emailKey(email), {
          set: { passwordHash },
          condition: and(equal('userId', userId), equal('passwordHash', before)),
        }),
      ],
      ['user', table.updatePart(userKey(workspaceId, userId), nextEpoch)],
      ['signed-in user', table.updatePart(signedInUserKey(userId), nextEpoch)],
      ['audit', auditPart(table, audit)],
    ]);
    return cancelled === null;
  }
}

function recordOf({ pk, sk, expiresAt, ...record }: Item): Item {
  return record;
}
