import { request } from 'node:http';
import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { acceptedJob } from '../../../functions/extraction/job-schemas.ts';
import { extractCall, problemOf } from '../../helpers/api.ts';
import { batchCall, finishedJob } from '../../helpers/batch.ts';
import { blankPage, oneLinePage } from '../../helpers/page-images.ts';
import { useOwnService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

vi.stubEnv('USER_LIMIT_PER_MINUTE', '100');

const service = useOwnService(async () => {
  process.env.FREE_PAGES_PER_DAY = '2';
  process.env.FREE_PAGES_IN_ALL = '8';
});

const base64 = (bytes: Buffer) => bytes.toString('base64');

it('429 free_pages_used_up after the daily number of free pages; paid pages do not count', async () => {
  const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10 });
  const [page, blank] = [base64(await oneLinePage()), base64(await blankPage(300, 200))];
  const cutOff = base64(
    (
      await sharp(await oneLinePage())
        .jpeg()
        .toBuffer()
    ).subarray(0, 5_000),
  );
  const statusOf = async (image: string) => (await extractCall(service, workspace, { image })).status;
  expect(await statusOf(page)).toBe(200);
  expect(await statusOf(page)).toBe(200);
  expect(await statusOf(page)).toBe(200);
  // Refused before anything is read.
  expect(await statusOf('AA==')).toBe(415);
  expect(await statusOf(blank)).toBe(200);
  expect(await statusOf(cutOff)).toBe(422);

  const refused = await extractCall(service, workspace, { image: page }, 'order-1');
  expect([refused.status, problemOf(refused).code]).toEqual([429, 'free_pages_used_up']);
  expect(problemOf(refused).message).toMatch(/no drug table.*Nothing was charged/);
  const waitSeconds = Number(refused.headers.get('retry-after'));
  expect(waitSeconds).toBeGreaterThan(42_000);
  expect(waitSeconds).toBeLessThanOrEqual(43_200);
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 400, idempotencyKeys: [] });

  const accepted = await batchCall(service, workspace, { images: [page] });
  const { images } = await finishedJob(service, workspace, acceptedJob.parse(accepted.json).jobId);
  expect(images).toMatchObject([{ status: 'failed', error: { code: 'free_pages_used_up' } }]);

  const other = await createWorkspace({ balanceKrw: 200, freeCallsUsed: 10 });
  expect((await extractCall(service, other, { image: page })).status).toBe(200);
});

it("429 free_pages_used_up in every workspace without a balance once the day's unpaid pages are used up", async () => {
  const blank = base64(await blankPage(300, 200));
  const [stranger, customer] = [await createWorkspace({ balanceKrw: 0 }), await createWorkspace({ balanceKrw: 200 })];
  const statuses = [];
  for (let i = 0; i < 6; i += 1) {
    const fresh = await createWorkspace({ balanceKrw: 0 });
    statuses.push((await extractCall(service, fresh, { image: blank })).status);
  }
  // Two were used by the test before.
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
  const refused = await extractCall(service, stranger, { image: base64(await oneLinePage()) });
  expect([refused.status, problemOf(refused).code]).toEqual([429, 'free_pages_used_up']);
  expect(problemOf(refused).message).toContain('Top up the balance');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await extractCall(service, customer, { image: blank })).status).toBe(200);
});

it('429 rate_limited when batches have more images than calls are allowed; a large body that comes too early is not read', async () => {
  const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10 });
  const imageUrls = Array.from({ length: 60 }, (_, i) => `https://127.0.0.1/${i}.png`);
  expect((await batchCall(service, workspace, { imageUrls })).status).toBe(202);
  const refused = await batchCall(service, workspace, { imageUrls });
  expect([refused.status, problemOf(refused).code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(5);
  // What fits still passes.
  expect((await batchCall(service, workspace, { imageUrls: imageUrls.slice(0, 10) })).status).toBe(202);

  const early = Promise.withResolvers<[status: number, retryAfter: string | undefined]>();
  const upload = request(`${service.baseUrl}/api/v1/edi-extract-lite/extract-batch-async`, {
    method: 'POST',
    headers: {
      ...{ 'x-api-key': workspace.apiKey, 'content-type': 'application/json' },
      ...{ 'content-length': 2_000_000, expect: '100-continue' },
    },
  });
  upload.once('continue', () => early.reject(new Error('The service asked for the body.')));
  upload.once('response', (response) => early.resolve([response.statusCode ?? 0, response.headers['retry-after']]));
  upload.flushHeaders();
  expect(await early.promise).toEqual([429, expect.stringMatching(/^[1-9]/)]);
  upload.destroy();
});
