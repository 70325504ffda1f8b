import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { signedUrl } from './signed-url.ts';

/**
 * The keys behind presigned addresses of a bucket. Signatures are not looked at: callers open a key with their own right, after they have
 * checked that it lies in the folder of the calling workspace.
 */
export class ObjectAddresses {
  readonly #home: () => Promise<string>;

  constructor(bucket: string, client: S3Client) {
    this.#home = memoizeAsync(() => homeOf(bucket, client));
  }

  /** @returns null unless host and bucket are exactly those of the addresses that we hand out ourselves */
  async keyOf({ origin, pathname }: URL): Promise<string | null> {
    const home = await this.#home();
    const address = origin + pathname;
    if (!address.startsWith(home)) return null;
    try {
      return decodeURIComponent(address.slice(home.length));
    } catch {
      return null;
    }
  }
}

/** Prefix of the presigned addresses of a bucket; only the SDK knows all of the rules behind it. */
async function homeOf(bucket: string, client: S3Client): Promise<string> {
  const { origin, pathname } = new URL(await signedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: 'k' })));
  return (origin + pathname).slice(0, -'k'.length);
}
