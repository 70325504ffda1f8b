import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { S3UploadLinks } from '../../../functions/adapters/extraction/s3-upload-links.ts';
import { S3Uploads } from '../../../functions/adapters/extraction/s3-uploads.ts';
import { WebImages } from '../../../functions/adapters/extraction/web-images.ts';
import { ImageFetchFailed } from '../../../functions/extraction/domain/image-source.ts';
import { uploadKey } from '../../../functions/extraction/domain/uploads.ts';
import { extractBody } from '../../../functions/extraction/schemas.ts';
import { type EmbeddedS3, startS3 } from '../../../local/embedded/s3.ts';

const BUCKET = 'tripod-uploads';
const MINE = 'ws_1';
let directory: string;
let server: EmbeddedS3;
let client: S3Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-uploads-'));
  server = await startS3(directory, [BUCKET, `${BUCKET}-2`]);
  client = new S3Client({
    region: 'ap-northeast-2',
    endpoint: server.url,
    forcePathStyle: true,
    credentials: server.key,
  });
});

afterAll(async () => {
  client.destroy();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** @returns the address that a caller gets for an upload. */
async function put(key: string, body: string, bucket = BUCKET): Promise<URL> {
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  return new URL(await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key })));
}

const never = new AbortController().signal;
const uploads = () => new S3Uploads(BUCKET, client);
const readMine = (url: URL, maxBytes = 1000) => uploads().read(url, MINE, maxBytes, never);

it('reads an upload of the workspace by its address', async () => {
  const url = await put(uploadKey(MINE, 'upl_1'), 'page');
  const { bytes, uploadKey: key } = (await readMine(url))!;
  expect([Buffer.from(bytes).toString(), key]).toEqual(['page', uploadKey(MINE, 'upl_1')]);
});

it('opens no other workspace, bucket, host, path or name', async () => {
  const mine = await put(uploadKey(MINE, 'upl_2'), 'mine');
  const others = await put(uploadKey('ws_2', 'upl_2'), 'other');
  expect(await readMine(others)).toBeNull();
  expect(await readMine(await put(uploadKey(MINE, 'upl_2'), 'page', `${BUCKET}-2`))).toBeNull();
  const wrong = [
    mine.href.replace('127.0.0.1', 'localhost'),
    mine.href.replace('http:', 'https:'),
    mine.href.replace(`/${BUCKET}/`, `//${BUCKET}/`),
    mine.href.replace(`/${MINE}/upl_2`, `/${MINE}/..%2Fws_2%2Fupl_2`),
    mine.href.replace(`/${MINE}/upl_2`, `/${MINE}/%E0%A4%A`),
    mine.href.replace(`/${MINE}/upl_2`, `/${MINE}`),
  ];
  for (const address of wrong) expect(await readMine(new URL(address)), address).toBeNull();
});

it('leaves an address into another workspace to its signature', async () => {
  const images = new WebImages({ allowLoopback: true, uploads: uploads() });
  const lent = await put(uploadKey('ws_2', 'upl_3'), 'lent');
  const { bytes, uploadKey: key } = await images.fetch(lent.href, MINE);
  expect([Buffer.from(bytes).toString(), key]).toEqual(['lent', null]);
  const expired = await getSignedUrl(
    client,
    new GetObjectCommand({ Bucket: BUCKET, Key: uploadKey('ws_2', 'upl_3') }),
    {
      expiresIn: 1,
      signingDate: new Date(Date.now() - 60_000),
    },
  );
  await expect(images.fetch(expired, MINE)).rejects.toBeInstanceOf(ImageFetchFailed);
});

it('says so when the upload was never sent', async () => {
  const url = await put(uploadKey(MINE, 'upl_4'), 'page');
  url.pathname = url.pathname.replace('upl_4', 'upl_none');
  await expect(readMine(url)).rejects.toThrow(/not sent yet/);
});

it('refuses an upload over the limit unread', async () => {
  const url = await put(uploadKey(MINE, 'upl_5'), 'x'.repeat(11));
  await expect(readMine(url, 10)).rejects.toMatchObject({ refusal: 'image_too_large' });
});

it('names uploads without paths', () => {
  for (const name of ['', '..', '.hidden', 'a/b', '../ws_2/upl', 'a b'])
    expect(() => uploadKey(MINE, name), name).toThrow(/cannot name an upload/);
});

it('hands out addresses that S3 itself takes, with the credentials of a function', async () => {
  const credentials = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret', sessionToken: 't'.repeat(2000) };
  const links = new S3UploadLinks(BUCKET, {
    region: 'ap-northeast-2',
    credentials,
    // What this machine's environment says is not what a function's says.
    endpoint: 'https://s3.ap-northeast-2.amazonaws.com',
    requestChecksumCalculation: 'WHEN_SUPPORTED',
  });
  const key = uploadKey(MINE, 'upl_6');
  const urls = await Promise.all([links.putLink(key, 'image/png', 4, 900), links.getLink(key, 86_400)]);
  for (const url of urls) {
    expect(url).toMatch(/^https:\/\/tripod-uploads\.s3\.ap-northeast-2\.amazonaws\.com\/ws_1\/upl_6\?/);
    // A checksum would cover an empty body.
    expect(url).not.toMatch(/checksum-(crc|algorithm)/i);
    expect(extractBody.safeParse({ imageUrl: url }).success).toBe(true);
  }
});
