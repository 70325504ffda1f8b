import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { ImageFetchFailed } from '../../extraction/domain/image-source.ts';
import type { StoredImages } from '../../extraction/domain/uploads.ts';
import { isMissing } from '../s3/missing.ts';

/** The bucket of uploads, with the function's own right to it. */
export class S3ImageStore implements StoredImages {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: bytes }));
  }

  async remove(keys: readonly string[]): Promise<void> {
    await Promise.all(
      keys.map((key) => this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }))),
    );
  }

  async get(key: string): Promise<Uint8Array> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return await Body!.transformToByteArray();
    } catch (error) {
      // Without the right to list the bucket, a missing object is 403.
      if (isMissing(error))
        throw new ImageFetchFailed('The image is no longer there: images of a batch are kept for 7 days.', {
          cause: error,
        });
      throw error;
    }
  }
}
