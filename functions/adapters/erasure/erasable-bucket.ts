import { DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { ErasableStore, ErasureTarget } from '../../accounts/domain/erase-data.ts';
import { INLINE_IMAGES } from '../../extraction/domain/uploads.ts';

/** A bucket in which every workspace has its own folder. */
export class ErasableBucket implements ErasableStore {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  /** @param cursor place of the target whose folder is emptied. Each page deletes what it lists: the next starts where it started. */
  async erasePage(targets: readonly ErasureTarget[], cursor: string | null): Promise<string | null> {
    const place = Number(cursor ?? 0);
    const target = targets[place];
    if (target === undefined) return null;
    const folder = folderOf(target);
    if (folder === null) return String(place + 1);
    const { Contents = [] } = await this.#client.send(
      new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: folder }),
    );
    if (Contents.length === 0) return String(place + 1);
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const { Errors = [] } = await this.#client.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0) throw new Error(`${Errors[0]?.Key} was not removed: ${Errors[0]?.Message}`);
    return String(place);
  }
}

/** The folder to empty; null for none. */
function folderOf({ kind, workspaceId, inlineImages }: ErasureTarget): string | null {
  if (kind === 'workspace') return `${workspaceId}/`;
  return inlineImages ? `${workspaceId}/${INLINE_IMAGES}` : null;
}
