import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment } from '../../../functions/shared/environment.ts';
import { extractCall, problemOf } from '../../helpers/api.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();
let page: Buffer;
let host: Server;
let hostUrl: string;

/** Responses of the image host on this machine, which local mode may ask. */
const answers: Record<string, (response: ServerResponse) => void> = {
  '/page.png': (response) => response.end(page),
  '/redirect-to-page': (response) => response.writeHead(302, { location: '/page.png' }).end(),
  '/redirect-to-metadata': (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/redirect-to-private': (response) => response.writeHead(307, { location: 'https://10.0.0.1/page.png' }).end(),
  '/endless': (response) => response.writeHead(302, { location: '/endless' }).end(),
  '/broken': (response) => response.writeHead(500).end('stack trace'),
  '/missing': (response) => response.writeHead(404).end(),
  '/too-large': (response) => {
    const piece = Buffer.alloc(1024 * 1024);
    const more = () => {
      while (response.write(piece));
      response.once('drain', more);
    };
    more();
    response.on('close', () => response.removeAllListeners('drain'));
  },
  '/page.html': (response) => response.end('<html>not a picture</html>'),
};

beforeAll(async () => {
  page = await oneLinePage();
  host = createServer((request, response) => answers[request.url ?? '']?.(response));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(async () => {
  host.closeAllConnections();
  host.close();
});

describe('imageUrl', () => {
  it('200: is fetched, through a redirect too, and read like an inline image', async () => {
    const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
    const answer = await extractCall(service, workspace, { imageUrl: `${hostUrl}/redirect-to-page` });
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
    expect(answer.json).toMatchObject({ foundTable: true, cost: { krw: 200 }, balanceKrw: 300 });
  });

  it('200: of an upload of the workspace is read from the bucket', async () => {
    const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
    const { UPLOADS_BUCKET: Bucket } = environment('UPLOADS_BUCKET');
    const s3 = new S3Client({ forcePathStyle: true });
    const Key = `${workspace.workspaceId}/page.png`;
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: page, ContentType: 'image/png' }));
    const imageUrl = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key }));
    const answer = await extractCall(service, workspace, { imageUrl });
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
    expect(answer.json).toMatchObject({ foundTable: true, balanceKrw: 300 });
  });
});

describe('nothing is charged, and the Idempotency-Key stays free', () => {
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
  });

  it.each([
    ['the metadata service', 'https://169.254.169.254/latest/meta-data/', 422, 'image_fetch_failed', 'public internet'],
    ['a private address', 'https://10.1.2.3/page.png', 422, 'image_fetch_failed', 'public internet'],
    ['a private address in other digits', 'https://0x0a010203/', 422, 'image_fetch_failed', 'public internet'],
    ['an IPv6 address of the own network', 'https://[fd00::1]/page.png', 422, 'image_fetch_failed', 'public internet'],
    ['plain http', 'http://93.184.216.34/page.png', 422, 'image_fetch_failed', 'an https address'],
    ['a file', 'file:///etc/passwd', 422, 'image_fetch_failed', 'https://'],
    ['a redirect to the metadata service', '/redirect-to-metadata', 422, 'image_fetch_failed', 'public internet'],
    ['a redirect to a private address', '/redirect-to-private', 422, 'image_fetch_failed', 'public internet'],
    ['endless redirects', '/endless', 422, 'image_fetch_failed', 'more than 3 times'],
    ['a 500', '/broken', 422, 'image_fetch_failed', 'status 500'],
    ['a 404', '/missing', 422, 'image_fetch_failed', 'status 404'],
    ['a body over the limit', '/too-large', 413, 'image_too_large', '18 MB'],
    ['no picture', '/page.html', 415, 'unsupported_media_type', 'JPEG'],
  ])('%s', async (_, url, status, code, message) => {
    const imageUrl = url.startsWith('/') ? hostUrl + url : url;
    const answer = await extractCall(service, workspace, { imageUrl }, 'order-1');
    expect(answer.status, JSON.stringify(answer.json)).toBe(status);
    const problem = problemOf(answer);
    expect(problem.code).toBe(code);
    expect(problem.message).toContain(message);
    expect(problem.message).not.toContain('stack trace');
    expect(await tracesOf(workspace.workspaceId)).toEqual({
      balanceKrw: 500,
      freeCallsUsed: 10,
      charges: [],
      extractions: [],
      idempotencyKeys: [],
    });
  });
});
