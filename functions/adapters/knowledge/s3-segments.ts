import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { BaseId } from '../../knowledge/domain/knowledge-base.ts';
import type { SegmentObjects, Segments } from '../../knowledge/domain/knowledge-ports.ts';
import { Segment } from '../../knowledge/domain/segment.ts';
import { chunks } from '../../shared/chunks.ts';
import { isMissing } from '../s3/missing.ts';

/** Limit of DeleteObjects. */
const MAX_KEYS_PER_CALL = 1_000;

/** Segments of indexes, compressed, each under a unique key that is never reused. */
export class S3Segments implements SegmentObjects, Segments {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async put(base: BaseId, segmentId: string, bytes: Uint8Array): Promise<void> {
    const Body = await promisify(gzip)(bytes);
    await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: keyOf(base, segmentId), Body }));
  }

  async get(base: BaseId, segmentId: string): Promise<Segment | null> {
    try {
      const { Body } = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: keyOf(base, segmentId) }),
      );
      return new Segment(await promisify(gunzip)(await Body!.transformToByteArray()));
    } catch (error) {
      // Without the right to list the bucket, a missing object is 403.
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(base: BaseId, segmentIds: readonly string[]): Promise<void> {
    for (const some of chunks(segmentIds, MAX_KEYS_PER_CALL)) {
      const Objects = some.map((segmentId) => ({ Key: keyOf(base, segmentId) }));
      const { Errors = [] } = await this.#client.send(
        new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors.length > 0) throw new Error(`${Errors[0]?.Key} was not removed: ${Errors[0]?.Message}`);
    }
  }
}

const keyOf = ({ workspaceId, baseId }: BaseId, segmentId: string): string => `${workspaceId}/${baseId}/${segmentId}`;
