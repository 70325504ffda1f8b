import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { writeCredentials } from '../../local/credentials.ts';
import { startStores } from '../../local/embedded/stores.ts';

/** Rows and objects of an earlier release: see the README in its folder. */
export interface EarlierRelease {
  readonly madeAt: string;
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
  /** A call with an Idempotency-Key, and its answer. */
  readonly keyed: { readonly key: string; readonly image: string; readonly response: { readonly requestId: string } };
  readonly payment: {
    readonly request: { readonly amountKrw: number; readonly reference: string };
    readonly response: { readonly entry: { readonly id: string } };
  };
  /** The batch that was under way. */
  readonly batch: {
    readonly key: string;
    readonly response: { readonly jobId: string };
    readonly image: string;
    readonly images: number;
  };
  readonly executions: { readonly pending: string; readonly running: readonly string[]; readonly large: string };
  readonly answers: readonly { readonly path: string; readonly json: object }[];
  /** By table, in the form of DynamoDB's API. */
  readonly rows: Readonly<Record<string, readonly object[]>>;
  readonly objects: readonly {
    readonly bucket: string;
    readonly key: string;
    readonly contentType?: string;
    readonly body: string;
  }[];
  readonly bodies: Readonly<Record<string, string>>;
}

export const firstRelease: EarlierRelease = JSON.parse(
  readFileSync(new URL('../fixtures/upgrade/first-release.json', import.meta.url), 'utf8'),
);

export function bodyOf({ bodies }: EarlierRelease, name: string): Buffer {
  return gunzipSync(Buffer.from(bodies[name] ?? '', 'base64'));
}

/** Makes a data directory of what the release wrote. */
export async function restore(release: EarlierRelease, dataDir: string): Promise<void> {
  const { workspaceId, email, password, apiKey, rows, objects } = release;
  const stores = await startStores(dataDir);
  const { AWS_REGION: region, AWS_ENDPOINT_URL_S3: endpoint } = stores.environment;
  const s3 = new S3Client({ region: region!, endpoint: endpoint!, forcePathStyle: true, credentials: stores.key });
  for (const [table, items] of Object.entries(rows))
    for (const Item of items) await stores.execute('PutItem', { TableName: `tripod-${table}`, Item });
  for (const { bucket, key, contentType, body } of objects)
    await s3.send(
      new PutObjectCommand({
        Bucket: `tripod-${bucket}`,
        Key: key,
        Body: bodyOf(release, body),
        ...(contentType && { ContentType: contentType }),
      }),
    );
  s3.destroy();
  await stores.stop();
  await writeCredentials(dataDir, { baseUrl: 'http://127.0.0.1:1', workspaceId, email, password, apiKey });
}
