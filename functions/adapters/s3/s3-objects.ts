import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { isMissing } from './missing.ts';

/** Values that are too large for a table's item, each under its own key; the bucket expires them after some days. */
export class S3Objects {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: bytes }));
  }

  /** @returns null when it is no longer there. */
  async get(key: string): Promise<Buffer | null> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return Body === undefined ? null : Buffer.from(await Body.transformToByteArray());
    } catch (error) {
      // Without the right to list the bucket, a missing object is 403.
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(...keys: readonly string[]): Promise<void> {
    const Objects = keys.map((Key) => ({ Key }));
    const { Errors = [] } = await this.#client.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0) throw new Error(`${Errors[0]?.Key} was not removed: ${Errors[0]?.Message}`);
  }
}
