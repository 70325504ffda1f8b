import type { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { InputUploads } from '../../sandbox/domain/input-uploads.ts';
import { isMissing } from '../s3/missing.ts';
import { ObjectAddresses } from '../s3/object-addresses.ts';

/** Files for programs in the bucket of executions, which expires them after some days. */
export class S3InputUploads implements InputUploads {
  readonly #bucket: string;
  readonly #client: S3Client;
  readonly #addresses: ObjectAddresses;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
    this.#addresses = new ObjectAddresses(bucket, client);
  }

  async keyOf(address: string): Promise<string | null> {
    const url = URL.parse(address);
    return url && this.#addresses.keyOf(url);
  }

  async sizeOf(key: string): Promise<number | null> {
    try {
      const { ContentLength } = await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key }));
      return ContentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async open(key: string): Promise<Readable | null> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return Body as Readable;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}
