import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ExecutionId } from '../../sandbox/domain/execution.ts';
import {
  LINK_SECONDS,
  type OutputFileLinks,
  type OutputFileStore,
  type StoredFile,
} from '../../sandbox/domain/output-files.ts';
import { signedUrl } from '../s3/signed-url.ts';
import { outputFileKey } from './output-file-key.ts';

/** Output files of programs, stored with the programs and outputs of their executions; the bucket expires them after some days. */
export class S3OutputFiles implements OutputFileStore, OutputFileLinks {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async put(id: ExecutionId, index: number, { path, mediaType, bytes }: StoredFile): Promise<string> {
    const key = outputFileKey(id, index);
    await this.#client.send(
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        Body: bytes,
        ContentType: mediaType,
        // A page that a program wrote is not to be opened as one of ours.
        ContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(path.slice(path.lastIndexOf('/') + 1))}`,
      }),
    );
    return key;
  }

  link(object: string): Promise<string> {
    return signedUrl(this.#client, new GetObjectCommand({ Bucket: this.#bucket, Key: object }), {
      expiresIn: LINK_SECONDS,
    });
  }
}
