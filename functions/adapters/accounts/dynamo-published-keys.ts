import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PublishedKey, PublishedKeys } from '../../accounts/domain/signing-key.ts';
import { ABSENT, equal, or } from '../dynamodb/expressions.ts';
import { SIGNING_KEYS_KEY } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** One item with all keys: functions that only verify tokens read it, and never the secret. */
export class DynamoPublishedKeys implements PublishedKeys {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async published(): Promise<readonly PublishedKey[]> {
    const item = await this.#table.get<{ keys: readonly PublishedKey[] }>(SIGNING_KEYS_KEY);
    return item?.keys ?? [];
  }

  async replace(before: readonly PublishedKey[], after: readonly PublishedKey[]): Promise<boolean> {
    const isStill = equal('kids', kidsOf(before));
    const condition = before.length === 0 ? or(ABSENT, isStill) : isStill;
    const kids = kidsOf(after);
    const { written, item } = await this.#table.put({ ...SIGNING_KEYS_KEY, keys: after, kids }, condition);
    // The SDK repeats a put whose response was lost.
    return written || item?.kids === kids;
  }
}

/** The keys as one text: conditions compare texts everywhere alike. */
function kidsOf(keys: readonly PublishedKey[]): string {
  return keys.map(({ kid }) => kid).join(' ');
}
