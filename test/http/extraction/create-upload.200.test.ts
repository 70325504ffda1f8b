import { beforeAll, describe, expect, it } from 'vitest';
import { upload as uploadSchema } from '../../../functions/extraction/schemas.ts';
import { type ApiAnswer, extractCall, problemOf, uploadCall } from '../../helpers/api.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();
let page: Buffer;
let workspace: TestWorkspace;

beforeAll(async () => {
  page = await oneLinePage();
  workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
});

async function orderOf(answer: Promise<ApiAnswer>) {
  const { status, json } = await answer;
  expect(status, JSON.stringify(json)).toBe(200);
  return uploadSchema.strict().parse(json);
}

function put(url: string, body: Uint8Array<ArrayBuffer> | string, contentType: string): Promise<Response> {
  return fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body });
}

/** The address of an upload of this content, which calls itself a PNG. */
async function uploaded(body: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const { uploadUrl, imageUrl } = await orderOf(uploadCall(service, workspace, { contentType: 'image/png' }));
  expect((await put(uploadUrl, body, 'image/png')).status).toBe(200);
  return imageUrl;
}

describe('200', () => {
  it('takes the image by a plain PUT, gives it back by a plain GET, and extracts it; only that is charged', async () => {
    const order = { contentType: 'image/png', contentLength: page.length };
    const { uploadUrl, imageUrl, expiresIn } = await orderOf(uploadCall(service, workspace, order));
    expect(expiresIn).toBe(900);
    expect(new URL(imageUrl).searchParams.get('X-Amz-Expires')).toBe('86400');
    expect((await put(uploadUrl, new Uint8Array(page), 'image/png')).status).toBe(200);
    const stored = await fetch(imageUrl);
    expect(stored.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await stored.arrayBuffer()).equals(page)).toBe(true);
    expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 500, charges: [] });

    const answer = await extractCall(service, workspace, { imageUrl });
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
    expect(answer.json).toMatchObject({ foundTable: true, balanceKrw: 300 });
  });

  it.each(['image/jpeg', 'image/webp', 'image/tiff', 'image/bmp', 'application/pdf', 'Image/PNG'])(
    'binds the PUT to %s',
    async (contentType) => {
      const { uploadUrl } = await orderOf(uploadCall(service, workspace, { contentType }));
      expect((await put(uploadUrl, 'page', 'image/gif')).status).toBe(403);
      expect((await put(uploadUrl, 'page', contentType)).status).toBe(200);
    },
  );

  it('an upload binds the PUT to the length, if given', async () => {
    const order = { contentType: 'image/png', contentLength: 4 };
    const { uploadUrl } = await orderOf(uploadCall(service, workspace, order));
    expect((await put(uploadUrl, 'pages', 'image/png')).status).toBe(403);
    expect((await put(uploadUrl, 'page', 'image/png')).status).toBe(200);
  });

  it('an upload gets a new place each time', async () => {
    const order = { contentType: 'image/png' };
    const [one, two] = await Promise.all([1, 2].map(() => orderOf(uploadCall(service, workspace, order))));
    expect(one!.uploadUrl).not.toBe(two!.uploadUrl);
  });
});

describe('an upload is checked again before it is read, and a faulty one is free', () => {
  let untouched: unknown;
  beforeAll(async () => {
    untouched = await tracesOf(workspace.workspaceId);
  });

  it.each([
    ['a text that calls itself PNG', () => '약품코드,약품명\n', 415, 'unsupported_media_type'],
    ['nothing', () => '', 415, 'unsupported_media_type'],
    ['more than 18 MB', () => new Uint8Array(18 * 1024 * 1024 + 1), 413, 'image_too_large'],
  ])('%s', async (_, body, status, code) => {
    const answer = await extractCall(service, workspace, { imageUrl: await uploaded(body()) });
    expect(answer.status).toBe(status);
    expect(problemOf(answer).code).toBe(code);
    expect(await tracesOf(workspace.workspaceId)).toEqual(untouched);
  });

  it('an upload that was never sent', async () => {
    const { imageUrl } = await orderOf(uploadCall(service, workspace, { contentType: 'image/png' }));
    const answer = await extractCall(service, workspace, { imageUrl });
    expect(answer.status).toBe(422);
    expect(problemOf(answer)).toMatchObject({
      code: 'image_fetch_failed',
      message: expect.stringContaining('PUT the image to uploadUrl'),
    });
  });

  it('an upload of another workspace, whose signature is gone', async () => {
    const imageUrl = new URL(await uploaded('page'));
    imageUrl.search = '';
    const stranger = await createWorkspace({ balanceKrw: 500 });
    const answer = await extractCall(service, stranger, { imageUrl: imageUrl.href });
    expect(answer.status).toBe(422);
    expect(problemOf(answer)).toMatchObject({ code: 'image_fetch_failed', message: expect.stringContaining('403') });
  });
});
