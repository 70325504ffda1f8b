import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  ACCESS_TOKENS,
  accessTokenKey,
  channelKey,
  channelTypeKey,
  OWNED_CHANNELS,
  ownedChannelKey,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { jitteredBackoff } from '../shared/system-ports.ts';

/** Credentials that services keep of a workspace: public access tokens of chat, and channels with the secrets of platforms. */
export class DynamoServiceCredentials {
  readonly #applications: DynamoTable;
  readonly #channels: DynamoTable;

  constructor(client: DynamoDBDocumentClient, tables: { readonly applications: string; readonly channels: string }) {
    this.#applications = new DynamoTable(client, tables.applications);
    this.#channels = new DynamoTable(client, tables.channels);
  }

  async removeAll(workspaceId: string): Promise<void> {
    const partition = workspacePartition(workspaceId);
    const tokens = this.#applications.query<{ pk: string; sk: string; tokenId: string }>({
      partition,
      prefix: ACCESS_TOKENS,
    });
    for await (const { pk, sk, tokenId } of tokens)
      await this.#applications.deleteAll([accessTokenKey(tokenId), { pk, sk }], jitteredBackoff);
    const channels = this.#channels.query<{ channelId: string }>({ partition, prefix: OWNED_CHANNELS });
    for await (const { channelId } of channels) {
      const channel = await this.#channels.get<{ type: string }>(channelKey(channelId));
      const pointers = [
        ownedChannelKey(workspaceId, channelId),
        ...(channel === null ? [] : [channelTypeKey(channel.type, channelId)]),
      ];
      await this.#channels.deleteAll([channelKey(channelId), ...pointers], jitteredBackoff);
    }
  }
}
