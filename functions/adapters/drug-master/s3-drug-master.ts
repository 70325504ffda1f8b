import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { DrugMaster } from '../../extraction/domain/master/drug-master.ts';
import { DrugMasterMissing, type DrugMasterSource } from '../../extraction/domain/master/drug-master-source.ts';
import type { MasterData } from '../../extraction/domain/master/master-file.ts';
import { MASTER_OBJECT, SHIPPED_OBJECT } from '../../shared/resources.ts';
import { s3Client } from '../s3/client.ts';
import { loadMaster, packMaster, unpackMaster } from './master-bytes.ts';

export interface S3Location {
  readonly bucket: string;
  readonly key: string;
}

/** A warm runtime may live for hours; prices change once a month. */
const CHECK_INTERVAL_MS = 10 * 60_000;

/** Keeps the master in memory; checks at intervals whether a newer one was imported. */
export class S3DrugMaster implements DrugMasterSource {
  readonly #location: S3Location;
  readonly #client: S3Client;
  readonly #checkIntervalMs: number;
  #loaded: DrugMaster | null = null;
  #etag: string | undefined;
  #checkedAtMs = 0;
  #pending: Promise<DrugMaster> | null = null;

  constructor(location: S3Location, client: S3Client = s3Client(), checkIntervalMs = CHECK_INTERVAL_MS) {
    this.#location = location;
    this.#client = client;
    this.#checkIntervalMs = checkIntervalMs;
  }

  async current(): Promise<DrugMaster> {
    if (this.#loaded && performance.now() - this.#checkedAtMs < this.#checkIntervalMs) return this.#loaded;
    this.#pending ??= this.#refresh().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #refresh(): Promise<DrugMaster> {
    const { bucket, key } = this.#location;
    try {
      const object = await this.#get(key).catch((error: unknown) => {
        // Nothing imported yet: the list that the deployment brought holds.
        if (statusOf(error) === 404) return this.#get(SHIPPED_OBJECT);
        throw error;
      });
      this.#loaded = await loadMaster(await object.Body!.transformToByteArray());
      this.#etag = object.ETag;
    } catch (error) {
      if (statusOf(error) === 404)
        throw new DrugMasterMissing(
          `There is no drug master at s3://${bucket}/${key}. Import one with \`npm run master:import -- <file> --date <date> --bucket s3://${bucket}/${key}\`.`,
          { cause: error },
        );
      // Unchanged, or S3 is in trouble: the master in memory serves on.
      if (!this.#loaded) throw error;
    }
    this.#checkedAtMs = performance.now();
    return this.#loaded;
  }

  #get(key: string): Promise<GetObjectCommandOutput> {
    return this.#client.send(
      new GetObjectCommand({ Bucket: this.#location.bucket, Key: key, IfNoneMatch: this.#etag }),
    );
  }
}

/** @param url `s3://bucket/key`, or `s3://bucket` for the default key. */
export function s3Location(url: string): S3Location {
  const { protocol, hostname, pathname } = URL.parse(url) ?? {};
  if (protocol !== 's3:' || !hostname || pathname === undefined)
    throw new Error(`${JSON.stringify(url)} is not an address like s3://bucket/key.`);
  return { bucket: hostname, key: decodeURIComponent(pathname.slice(1)) || MASTER_OBJECT };
}

/** @returns data null when there is no object yet; `etag` goes into `writeMasterObject`. */
export async function readMasterObject(
  { bucket, key }: S3Location,
  client: S3Client = s3Client(),
): Promise<{ data: MasterData | null; etag: string | null }> {
  try {
    const object = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return { data: await unpackMaster(await object.Body!.transformToByteArray()), etag: object.ETag ?? null };
  } catch (error) {
    if (statusOf(error) === 404) return { data: null, etag: null };
    throw error;
  }
}

/** Replaces the object that was read, and fails when another import has replaced it meanwhile. */
export async function writeMasterObject(
  { bucket, key }: S3Location,
  data: MasterData,
  readEtag: string | null,
  client: S3Client = s3Client(),
): Promise<void> {
  const condition = readEtag === null ? { IfNoneMatch: '*' } : { IfMatch: readEtag };
  try {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: await packMaster(data),
        ContentType: 'application/gzip',
        ...condition,
      }),
    );
  } catch (error) {
    if (statusOf(error) === 412 || statusOf(error) === 409)
      throw new Error('Another import replaced the list at the same time. Nothing was changed; run the import again.', {
        cause: error,
      });
    throw error;
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
