import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { acceptedJob, job as jobSchema, upload as uploadSchema } from '../../functions/extraction/schemas.ts';
import { call, problemOf } from '../helpers/api.ts';
import { shortPage } from '../helpers/page-images.ts';
import { type InProcessService, startService } from '../helpers/service.ts';
import { createWorkspace, type TestWorkspace, tracesOf } from '../helpers/workspace.ts';

const BATCH_PATH = '/api/v1/edi-extract-lite/extract-batch-async';
type Job = z.output<typeof jobSchema>;

let service: InProcessService;
let page: Buffer;

beforeAll(async () => {
  service = await startService();
  page = await shortPage();
});
afterAll(() => service.stop());

const send = (workspace: TestWorkspace, method: string, path: string, body?: unknown, key?: string) =>
  call({ ...service, ...workspace }, method, path, {
    ...(body !== undefined && { body }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const batch = (workspace: TestWorkspace, body: unknown, key?: string) => send(workspace, 'POST', BATCH_PATH, body, key);

async function finished(workspace: TestWorkspace, jobId: string, query = ''): Promise<Job> {
  for (;;) {
    const answer = await send(workspace, 'GET', `/api/v1/jobs/${jobId}${query}`);
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
    const job = jobSchema.strict().parse(answer.json);
    if (job.completedAt !== null) return job;
    await sleep(200);
  }
}

describe('a batch', () => {
  it('reads good images, ends broken and unreachable ones as failed, and charges each good one once', async () => {
    const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10 });
    const upload = await send(workspace, 'POST', '/api/v1/uploads', { contentType: 'image/png' });
    const { uploadUrl, imageUrl } = uploadSchema.parse(upload.json);
    const put = await fetch(uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(page),
    });
    expect(put.status).toBe(200);

    const answer = await batch(workspace, {
      imageUrls: [imageUrl, 'https://10.0.0.1/page.png'],
      images: [page.toString('base64'), Buffer.from('poison').toString('base64')],
    });
    expect(answer.status, JSON.stringify(answer.json)).toBe(202);
    const accepted = acceptedJob.strict().parse(answer.json);
    expect(accepted.pollUrl).toBe(`${service.baseUrl}/api/v1/jobs/${accepted.jobId}`);

    const light = await finished(workspace, accepted.jobId);
    expect(light).toMatchObject({ status: 'completed', total: 4, completed: 2, failed: 2 });
    expect(light.cost).toEqual({ krw: 400, freeCalls: 0 });
    expect(light.images.map(({ status, error }) => error?.code ?? status)).toEqual([
      'completed',
      'image_fetch_failed',
      'completed',
      'unsupported_media_type',
    ]);
    expect(light.images.map(({ source }) => source)).toEqual([
      imageUrl,
      'https://10.0.0.1/page.png',
      'images.0',
      'images.1',
    ]);
    expect(light.images[0]).not.toHaveProperty('items');

    const full = await finished(workspace, accepted.jobId, '?items=1');
    for (const image of [full.images[0]!, full.images[2]!]) {
      expect(image.items?.map(({ drugCode }) => drugCode)).toEqual(['660200570', '694100320', '624800460']);
      const { json } = await send(workspace, 'GET', `/api/v1/extractions/${image.extractionId}`);
      expect(json).toMatchObject({ items: image.items, geometry: image.geometry });
    }
    const traces = await tracesOf(workspace.workspaceId);
    expect(traces).toMatchObject({ balanceKrw: 600, charges: [{ amountKrw: -200 }, { amountKrw: -200 }] });

    const stranger = await createWorkspace();
    expect((await send(stranger, 'GET', `/api/v1/jobs/${accepted.jobId}`)).status).toBe(404);
  });

  it('goes on where the balance runs out: what is not paid for ends as failed', async () => {
    const workspace = await createWorkspace({ balanceKrw: 300, freeCallsUsed: 10 });
    const image = page.toString('base64');
    const { json } = await batch(workspace, { images: [image, image, image] });
    const job = await finished(workspace, acceptedJob.parse(json).jobId);
    expect(job).toMatchObject({ status: 'completed', completed: 1, failed: 2, cost: { krw: 200 } });
    expect(job.images.flatMap(({ error }) => error?.code ?? [])).toEqual([
      'insufficient_balance',
      'insufficient_balance',
    ]);
    expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 100, charges: [{}] });
  });

  it('is the same job again under the same Idempotency-Key', async () => {
    const workspace = await createWorkspace();
    const body = { images: [Buffer.from('poison').toString('base64')] };
    const first = await batch(workspace, body, 'batch-1');
    const again = await batch(workspace, body, 'batch-1');
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await batch(workspace, { images: ['AAAA'] }, 'batch-1');
    expect(other.status).toBe(422);
    expect(problemOf(other).code).toBe('idempotency_key_reused');
    const job = await finished(workspace, acceptedJob.parse(first.json).jobId);
    expect(job).toMatchObject({ status: 'failed', failed: 1 });
  });
});

describe('a batch is refused whole', () => {
  const url = 'https://example.com/page.png';
  it.each([
    ['without images', {}, 400, 'invalid_request'],
    ['with 101 addresses', { imageUrls: Array(101).fill(url) }, 400, 'invalid_request'],
    ['with 101 images of both kinds', { imageUrls: Array(100).fill(url), images: ['AAAA'] }, 400, 'invalid_request'],
    ['with an image that is not base64', { images: ['AAAA', '!'] }, 400, 'invalid_request'],
    ['with an address that is none', { imageUrls: ['page.png'] }, 400, 'invalid_request'],
    ['with an unknown template', { imageUrls: [url], templateId: 'none' }, 422, 'unknown_template'],
  ])('%s', async (_, body, status, code) => {
    const workspace = await createWorkspace();
    const answer = await batch(workspace, body);
    expect(answer.status).toBe(status);
    expect(problemOf(answer).code).toBe(code);
  });

  it('when not even one image can be paid for', async () => {
    const workspace = await createWorkspace({ balanceKrw: 199, freeCallsUsed: 10 });
    const answer = await batch(workspace, { imageUrls: [url] }, 'key');
    expect(answer.status).toBe(402);
    expect((await tracesOf(workspace.workspaceId)).idempotencyKeys).toEqual([]);
  });
});

describe('a poll', () => {
  it('takes items=1 and nothing else', async () => {
    const workspace = await createWorkspace();
    const answer = await send(workspace, 'GET', '/api/v1/jobs/job_01JDEXAMPLE000000000000000?items=2');
    expect(answer.status).toBe(400);
  });

  it.each(['job_01JDEXAMPLE000000000000000', 'x', 'ext_01', 'job%20x', 'a'.repeat(3000)])(
    'of %.40s is 404',
    async (id) => {
      const answer = await send(await createWorkspace(), 'GET', `/api/v1/jobs/${id}`);
      expect(answer.status).toBe(404);
      expect(problemOf(answer).code).toBe('not_found');
    },
  );
});

describe('an upload', () => {
  const order = async (body: unknown) => send(await createWorkspace(), 'POST', '/api/v1/uploads', body);
  const putTo = (url: string, type: string, body: string) =>
    fetch(url, { method: 'PUT', headers: { 'content-type': type }, body });

  it('is 415 for what cannot be read, 413 for what is too long', async () => {
    expect(problemOf(await order({ contentType: 'image/gif' }))).toMatchObject({ code: 'unsupported_media_type' });
    const long = await order({ contentType: 'image/png', contentLength: 18 * 1024 * 1024 + 1 });
    expect(problemOf(long).code).toBe('image_too_large');
    expect((await order({})).status).toBe(400);
  });

  it('is bound to its content type and its length, and to its own address', async () => {
    const { uploadUrl, imageUrl, expiresIn } = uploadSchema
      .strict()
      .parse((await order({ contentType: 'image/png', contentLength: 4 })).json);
    expect(expiresIn).toBe(900);
    expect((await putTo(uploadUrl, 'image/jpeg', 'page')).status).toBe(403);
    expect((await putTo(uploadUrl, 'image/png', 'pages')).status).toBe(403);
    expect((await putTo(uploadUrl.replace(/upl_\w/, 'upl_X'), 'image/png', 'page')).status).toBe(403);
    expect((await putTo(uploadUrl.split('?')[0]!, 'image/png', 'page')).status).toBe(403);
    expect((await putTo(imageUrl, 'image/png', 'page')).status).toBe(403);
    expect((await putTo(uploadUrl, 'image/png', 'page')).status).toBe(200);
    expect(await (await fetch(imageUrl)).text()).toBe('page');
  });
});
