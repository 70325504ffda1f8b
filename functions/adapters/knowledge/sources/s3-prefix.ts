import { GetObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import type { WebPage } from '../../../knowledge/domain/knowledge-ports.ts';
import type { PrefixObjects } from '../../../knowledge/domain/sources/source-ports.ts';
import { isMissing } from '../../s3/missing.ts';

/** The bucket of sources, with a separate folder for each workspace. */
export class S3Prefix implements PrefixObjects {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async *list(workspaceId: string, prefix: string): ReturnType<PrefixObjects['list']> {
    const folder = `${workspaceId}/`;
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: `${folder}${prefix}` },
    );
    for await (const { Contents = [] } of pages)
      for (const { Key = '', ETag = '', Size = 0 } of Contents)
        yield { key: Key.slice(folder.length), etag: ETag, bytes: Size };
  }

  async get(workspaceId: string, key: string): Promise<WebPage | null> {
    try {
      const { Body, ContentType = '' } = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: `${workspaceId}/${key}` }),
      );
      return { bytes: await Body!.transformToByteArray(), mediaType: ContentType };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}
