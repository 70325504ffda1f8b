import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { DrugMaster } from '../../extraction/domain/master/drug-master.ts';
import type { OwnListInfo, OwnListStore, OwnLists, PackedOwnList } from '../../extraction/domain/master/own-list.ts';
import { ReaderUnavailable } from '../../extraction/domain/reading/reader-unavailable.ts';
import { loadMaster } from './master-bytes.ts';

/** Of the packed lists together: in memory they take some eight times as much. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 2;

interface CachedList {
  readonly etag: string | undefined;
  readonly bytes: number;
  readonly master: DrugMaster;
}

/**
 * Own drug lists, an object each. Each look-up asks whether the list has changed, so that a new one holds for the next page;
 * the lists that were used last stay in memory.
 */
export class S3OwnLists implements OwnLists, OwnListStore {
  readonly #bucket: string;
  readonly #client: S3Client;
  readonly #maxCachedBytes: number;
  /** The one used last is the last. */
  readonly #cached = new Map<string, CachedList>();

  constructor(bucket: string, client: S3Client, maxCachedBytes = MAX_CACHED_BYTES) {
    this.#bucket = bucket;
    this.#client = client;
    this.#maxCachedBytes = maxCachedBytes;
  }

  get cachedLists(): number {
    return this.#cached.size;
  }

  async of(workspaceId: string): Promise<DrugMaster | null> {
    const known = this.#cached.get(workspaceId);
    try {
      const object = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: keyOf(workspaceId), IfNoneMatch: known?.etag }),
      );
      const bytes = await object.Body!.transformToByteArray();
      const list = { etag: object.ETag, bytes: bytes.length, master: await loadMaster(bytes) };
      this.#keep(workspaceId, list);
      return list.master;
    } catch (error) {
      const status = statusOf(error);
      if (status === 304 && known) {
        this.#keep(workspaceId, known);
        return known.master;
      }
      // Without the right to list the bucket, a missing object is 403.
      if (status === 404 || status === 403) {
        this.#cached.delete(workspaceId);
        return null;
      }
      throw new ReaderUnavailable('The own drug list of your workspace could not be read. Send the page again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
  }

  async put(workspaceId: string, { packed, rows, updatedAt }: PackedOwnList): Promise<void> {
    await this.#client.send(
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: keyOf(workspaceId),
        Body: packed,
        ContentType: 'application/gzip',
        Metadata: { rows: String(rows), updated: updatedAt },
      }),
    );
  }

  async describe(workspaceId: string): Promise<OwnListInfo | null> {
    try {
      const { Metadata = {} } = await this.#client.send(
        new HeadObjectCommand({ Bucket: this.#bucket, Key: keyOf(workspaceId) }),
      );
      return { rows: Number(Metadata.rows), updatedAt: Metadata.updated ?? '' };
    } catch (error) {
      if ([403, 404].includes(statusOf(error) ?? 0)) return null;
      throw error;
    }
  }

  async remove(workspaceId: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: keyOf(workspaceId) }));
  }

  #keep(workspaceId: string, list: CachedList): void {
    this.#cached.delete(workspaceId);
    this.#cached.set(workspaceId, list);
    let bytes = 0;
    for (const [id, { bytes: size }] of [...this.#cached].reverse()) {
      bytes += size;
      if (bytes > this.#maxCachedBytes && id !== workspaceId) this.#cached.delete(id);
    }
  }
}

function keyOf(workspaceId: string): string {
  return `${workspaceId}/drug-master.tsv.gz`;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
