import type { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput, type S3Client } from '@aws-sdk/client-s3';
import { type FetchedImage, ImageFetchFailed } from '../../extraction/domain/image-source.ts';
import { isUploadOf } from '../../extraction/domain/uploads.ts';
import { isMissing } from '../s3/missing.ts';
import { ObjectAddresses } from '../s3/object-addresses.ts';
import { type OwnUploads, tooLarge } from './web-images.ts';

/**
 * Reads uploads with the function's own right to the bucket, which is why only the folder of the calling workspace is
 * opened here: an address into another one is left to its signature, like any address of the web.
 */
export class S3Uploads implements OwnUploads {
  readonly #bucket: string;
  readonly #client: S3Client;
  readonly #addresses: ObjectAddresses;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
    this.#addresses = new ObjectAddresses(bucket, client);
  }

  async read(url: URL, workspaceId: string, maxBytes: number, signal: AbortSignal): Promise<FetchedImage | null> {
    const key = await this.#addresses.keyOf(url);
    if (key === null || !isUploadOf(workspaceId, key)) return null;
    const { ContentLength = Number.POSITIVE_INFINITY, Body } = await this.#get(key, signal);
    // Checked here and not by a HEAD before: the object may be replaced between two requests.
    if (ContentLength > maxBytes) {
      (Body as Readable).destroy();
      throw tooLarge(maxBytes);
    }
    return { bytes: await Body!.transformToByteArray(), uploadKey: key };
  }

  async #get(key: string, signal: AbortSignal): Promise<GetObjectCommandOutput> {
    try {
      return await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }), { abortSignal: signal });
    } catch (error) {
      // Without the right to list the bucket, a missing object is 403.
      if (isMissing(error))
        throw new ImageFetchFailed(
          'There is no upload at imageUrl: it was not sent yet, or is older than 7 days. PUT the image to uploadUrl first.',
          { cause: error },
        );
      throw error;
    }
  }
}
