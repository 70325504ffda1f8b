import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { DocumentUnreadable } from '../../knowledge/domain/knowledge-base.ts';
import type { KnowledgeUploads } from '../../knowledge/domain/knowledge-ports.ts';
import { isMissing } from '../s3/missing.ts';

/** Documents in the bucket of uploads, which forgets them after days. */
export class S3KnowledgeUploads implements KnowledgeUploads {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async put(key: string, bytes: Uint8Array, mediaType: string): Promise<void> {
    await this.#client.send(
      new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: bytes, ContentType: mediaType }),
    );
  }

  async head(key: string): Promise<{ readonly bytes: number; readonly mediaType: string } | null> {
    try {
      const { ContentLength = 0, ContentType = '' } = await this.#client.send(
        new HeadObjectCommand({ Bucket: this.#bucket, Key: key }),
      );
      return { bytes: ContentLength, mediaType: ContentType };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  async get(key: string, maxBytes: number): Promise<Uint8Array> {
    try {
      const { ContentLength = Number.POSITIVE_INFINITY, Body } = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: key }),
      );
      // It may have been put there a second time since its length was looked up.
      if (ContentLength > maxBytes) {
        (Body as { destroy?: () => void }).destroy?.();
        throw new DocumentUnreadable('too_large', `The document has more than ${maxBytes} bytes. Split it.`);
      }
      return await Body!.transformToByteArray();
    } catch (error) {
      if (isMissing(error))
        throw new DocumentUnreadable(
          'upload_gone',
          'The uploaded file is no longer there: uploads are kept for 7 days. Upload and add it again.',
          { cause: error },
        );
      throw error;
    }
  }
}
