import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3UploadLinks } from '../../../functions/adapters/extraction/s3-upload-links.ts';
import { type EmbeddedS3, startS3 } from '../../../local/embedded/s3.ts';

/** The embedded S3's own check of signatures against the SDK's way of making them. */

const Bucket = 'tripod-uploads';
let directory: string;
let server: EmbeddedS3;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-s3-'));
  server = await startS3(join(directory, 's3'), [Bucket]);
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

function optionsOf({ url, key }: EmbeddedS3, secretAccessKey = key.secretAccessKey) {
  return {
    region: 'ap-northeast-2',
    endpoint: url,
    forcePathStyle: true,
    credentials: { ...key, secretAccessKey },
  };
}
const client = (secretAccessKey?: string) =>
  new S3Client({ ...optionsOf(server, secretAccessKey), requestChecksumCalculation: 'WHEN_REQUIRED' });
const links = () => new S3UploadLinks(Bucket, optionsOf(server));

function put(url: string, body: string, contentType = 'image/png'): Promise<Response> {
  return fetch(url, { method: 'PUT', body, headers: { 'content-type': contentType } });
}

/** Status and error code of S3's response. */
async function refusalOf(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  return `${response.status} ${/<Code>(\w+)<\/Code>/.exec(await response.text())?.[1]}`;
}

describe('a presigned PUT', () => {
  it('takes what it was signed for, and a presigned GET gives it back', async () => {
    const url = await links().putLink('ws_1/upl_1', 'image/png', 4, 900);
    expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
    expect(url).not.toContain('checksum');
    expect((await put(url, 'page')).status).toBe(200);
    const answer = await fetch(await links().getLink('ws_1/upl_1', 60));
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(await answer.text()).toBe('page');
  });

  it('a URL without a given length binds none', async () => {
    const url = await links().putLink('ws_1/upl_2', 'image/png', undefined, 900);
    expect((await put(url, 'of any length')).status).toBe(200);
  });

  it('refuses another content type, and another length', async () => {
    const url = await links().putLink('ws_1/upl_3', 'image/png', 4, 900);
    expect(await refusalOf(put(url, 'page', 'text/html'))).toBe('403 SignatureDoesNotMatch');
    expect(await refusalOf(put(url, 'pages'))).toBe('403 SignatureDoesNotMatch');
    expect(await refusalOf(fetch(await links().getLink('ws_1/upl_3', 60)))).toBe('404 NoSuchKey');
  });

  it('a body without a length is refused if the length was signed', async () => {
    const url = await links().putLink('ws_1/upl_3', 'image/png', 4, 900);
    const status = await new Promise((resolve, reject) => {
      const sent = request(url, { method: 'PUT', headers: { 'content-type': 'image/png' } }, (response) =>
        resolve(response.resume().statusCode),
      ).on('error', reject);
      sent.write('pa');
      sent.end('ge');
    });
    expect(status).toBe(403);
  });

  it('refuses another object, method, expiry or signature', async () => {
    const url = await links().putLink('ws_1/upl_4', 'image/png', undefined, 900);
    const changed = [
      url.replace('upl_4', 'upl_5'),
      url.replace('ws_1', 'ws_2'),
      url.replace('X-Amz-Expires=900', 'X-Amz-Expires=901'),
      url.replace(/X-Amz-Signature=../, 'X-Amz-Signature=zz'),
      `${url}&acl`,
    ];
    for (const address of changed)
      expect(await refusalOf(put(address, 'page')), address).toBe('403 SignatureDoesNotMatch');
    expect(await refusalOf(fetch(url, { method: 'DELETE' }))).toBe('403 SignatureDoesNotMatch');
    expect(await refusalOf(fetch(url))).toBe('403 SignatureDoesNotMatch');
  });

  it('refuses headers of S3 that were not signed', async () => {
    const url = await links().putLink('ws_1/upl_4', 'image/png', undefined, 900);
    const headers = { 'content-type': 'image/png', 'x-amz-copy-source': `/${Bucket}/ws_2/upl_1` };
    expect(await refusalOf(fetch(url, { method: 'PUT', headers, body: '' }))).toBe('403 AccessDenied');
  });

  it('refuses one that has expired, is not valid yet, or lacks a part', async () => {
    const command = new GetObjectCommand({ Bucket, Key: 'ws_1/upl_1' });
    const signedAt = (ms: number) => getSignedUrl(client(), command, { expiresIn: 60, signingDate: new Date(ms) });
    expect(await refusalOf(fetch(await signedAt(Date.now() - 120_000)))).toBe('403 AccessDenied');
    expect(await refusalOf(fetch(await signedAt(Date.now() + 3_600_000)))).toBe('403 AccessDenied');
    const url = await signedAt(Date.now());
    const without = url.replace(/X-Amz-Expires=60&/, '');
    expect(await refusalOf(fetch(without))).toBe('400 AuthorizationQueryParametersError');
  });
});

describe('any other request', () => {
  it('is refused without a signature', async () => {
    const { url } = server;
    for (const address of [url, `${url}/${Bucket}`, `${url}/${Bucket}/ws_1/upl_1`])
      expect(await refusalOf(fetch(address)), address).toBe('403 AccessDenied');
    expect(await refusalOf(put(`${url}/${Bucket}/ws_1/upl_9`, 'page'))).toBe('403 AccessDenied');
  });

  it('is refused with another secret', async () => {
    const command = new PutObjectCommand({ Bucket, Key: 'ws_1/upl_9', Body: 'page' });
    await expect(client('S3RVER').send(command)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  });

  it.each(['plain', 'with space', '한글 이름.png', "it's (a) *star*!", 'plus+and=equals&more', '%25'])(
    'is taken when it is signed: %s',
    async (Key) => {
      await client().send(new PutObjectCommand({ Bucket, Key, Body: 'page', Metadata: { note: '  two   spaces ' } }));
      const presigned = await getSignedUrl(client(), new GetObjectCommand({ Bucket, Key }));
      expect(await (await fetch(presigned)).text()).toBe('page');
      expect((await client().send(new HeadObjectCommand({ Bucket, Key }))).ContentLength).toBe(4);
    },
  );
});

it('keeps port and secret over a restart, so that addresses stay valid; only their owner can read them', async () => {
  const url = await links().getLink('ws_1/upl_1', 60);
  await server.stop();
  server = await startS3(join(directory, 's3'), [Bucket]);
  expect(await (await fetch(url)).text()).toBe('page');
  expect((await stat(join(directory, 's3.json'))).mode & 0o777).toBe(0o600);
});

it('takes another port when its own is in use', async () => {
  const other = join(directory, 'other');
  await (await startS3(other, [Bucket])).stop();
  const identity = JSON.parse(await readFile(`${other}.json`, 'utf8')) as object;
  await writeFile(`${other}.json`, JSON.stringify({ ...identity, port: Number(new URL(server.url).port) }));
  const second = await startS3(other, [Bucket]);
  expect(second.url).not.toBe(server.url);
  await second.stop();
});

it('answers 500 while its buckets cannot be opened, and serves on when they can', async () => {
  const broken = join(directory, 'broken');
  const started = await startS3(broken, [Bucket]);
  const s3 = new S3Client({ ...optionsOf(started), maxAttempts: 1, requestChecksumCalculation: 'WHEN_REQUIRED' });
  try {
    // A file where the bucket's directory would be.
    await writeFile(join(broken, Bucket), '');
    const upload = () => s3.send(new PutObjectCommand({ Bucket, Key: 'page', Body: 'page' }));
    await expect(upload()).rejects.toMatchObject({ name: 'InternalError', $metadata: { httpStatusCode: 500 } });
    await rm(join(broken, Bucket));
    expect((await upload()).$metadata.httpStatusCode).toBe(200);
  } finally {
    s3.destroy();
    await started.stop();
  }
});
