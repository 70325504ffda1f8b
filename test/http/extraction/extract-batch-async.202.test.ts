import { beforeAll, expect, it } from 'vitest';
import type { JudgedPage } from '../../../functions/extraction/domain/extraction.ts';
import { acceptedJob } from '../../../functions/extraction/job-schemas.ts';
import { upload as uploadSchema } from '../../../functions/extraction/schemas.ts';
import { extractPorts } from '../../../functions/wiring/extraction/extraction.ts';
import { call, extractCall, uploadCall } from '../../helpers/api.ts';
import { batchCall, finishedJob } from '../../helpers/batch.ts';
import { shortPage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();
let page: Buffer;

beforeAll(async () => {
  page = await shortPage();
});

/** The page as an upload of the workspace. @returns its imageUrl. */
async function uploaded(workspace: TestWorkspace): Promise<string> {
  const { json } = await uploadCall(service, workspace, { contentType: 'image/png' });
  const { uploadUrl, imageUrl } = uploadSchema.parse(json);
  const headers = { 'content-type': 'image/png' };
  expect((await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(page) })).status).toBe(200);
  return imageUrl;
}

it('reads good images, ends broken and unreachable ones as failed, and charges each good one once', async () => {
  const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10 });
  const imageUrl = await uploaded(workspace);
  const answer = await batchCall(service, workspace, {
    imageUrls: [imageUrl, 'https://10.0.0.1/page.png'],
    images: [page.toString('base64'), Buffer.from('poison').toString('base64')],
  });
  expect(answer.status, JSON.stringify(answer.json)).toBe(202);
  const { jobId, pollUrl } = acceptedJob.strict().parse(answer.json);
  expect(pollUrl).toBe(`${service.baseUrl}/api/v1/jobs/${jobId}`);

  const light = await finishedJob(service, workspace, jobId);
  expect(light).toMatchObject({ status: 'completed', total: 4, completed: 2, failed: 2 });
  expect(light.cost).toEqual({ krw: 400, freeCalls: 0 });
  expect(light.images.map(({ status, error }) => error?.code ?? status)).toEqual([
    'completed',
    'image_fetch_failed',
    'completed',
    'unsupported_media_type',
  ]);
  const sources = [imageUrl, 'https://10.0.0.1/page.png', 'images.0', 'images.1'];
  expect(light.images.map(({ source }) => source)).toEqual(sources);
  expect(light.images[0]).not.toHaveProperty('items');

  const full = await finishedJob(service, workspace, jobId, '?items=1');
  for (const image of [full.images[0]!, full.images[2]!]) {
    expect(image.items?.map(({ drugCode }) => drugCode)).toEqual(['640007270', '641908100', '643308820']);
    const { json } = await call({ ...service, ...workspace }, 'GET', `/api/v1/extractions/${image.extractionId}`);
    expect(json).toMatchObject({ items: image.items, geometry: image.geometry });
  }
  const traces = await tracesOf(workspace.workspaceId);
  expect(traces).toMatchObject({ balanceKrw: 600, charges: [{ amountKrw: -200 }, { amountKrw: -200 }] });
});

it('a batch continues when the balance runs out: unpaid images end as failed', async () => {
  const workspace = await createWorkspace({ balanceKrw: 300, freeCallsUsed: 10 });
  const image = page.toString('base64');
  const { json } = await batchCall(service, workspace, { images: [image, image, image] });
  const job = await finishedJob(service, workspace, acceptedJob.parse(json).jobId);
  expect(job).toMatchObject({ status: 'completed', completed: 1, failed: 2, cost: { krw: 200 } });
  const codes = job.images.flatMap(({ error }) => error?.code ?? []);
  expect(codes).toEqual(['insufficient_balance', 'insufficient_balance']);
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 100, charges: [{}] });
});

it("an image is charged together with settlements waiting in the workspace's line, within its worker's rights", async () => {
  // Crowded for as long as the test takes.
  const crowd = { atMs: Date.now() + 600_000, waitedMs: 0 };
  const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10, crowd });
  const { workspaceId } = workspace;
  const image = page.toString('base64');
  const { json: single } = await extractCall(service, workspace, { image }, 'single');
  expect(single).toMatchObject({ cost: { krw: 200 }, balanceKrw: 800 });
  expect(await extractCall(service, workspace, { image }, 'single')).toMatchObject({ status: 200, json: single });
  const requestId = String((single as { requestId: string }).requestId);
  const stored = await call({ ...service, ...workspace }, 'GET', `/api/v1/extractions/${requestId}`);
  expect(stored.json).toMatchObject({ extractionId: requestId, items: (single as { items: unknown }).items });

  // A single call whose function died in the line.
  const claimed = await extractPorts().idempotency.claim({
    workspaceId,
    path: '/waiting',
    key: 'waiting',
    bodyHash: 'hash',
    owner: 'ext_0',
    nowMs: Date.now(),
    leaseUntilMs: Date.now() + 600_000,
  });
  if (claimed.kind !== 'claimed') throw new Error(`The key is ${claimed.kind}.`);
  await extractPorts().line.join(
    {
      extractionId: 'ext_0',
      workspaceId,
      keyId: null,
      completes: { claim: claimed.claim },
      joinedAtMs: Date.now(),
      deadlineMs: Date.now() + 600_000,
    },
    single as JudgedPage,
  );
  const { json } = await batchCall(service, workspace, { images: [image] });
  const job = await finishedJob(service, workspace, acceptedJob.parse(json).jobId);
  expect(job).toMatchObject({ status: 'completed', completed: 1, cost: { krw: 200 } });
  const { balanceKrw, charges } = await tracesOf(workspaceId);
  expect(balanceKrw).toBe(400);
  expect(charges.map(({ reference }) => reference).sort()).toEqual(
    ['ext_0', requestId, job.images[0]!.extractionId].sort(),
  );
});

it('is the same job again under the same Idempotency-Key', async () => {
  const workspace = await createWorkspace();
  const body = { images: [Buffer.from('poison').toString('base64')] };
  const first = await batchCall(service, workspace, body, 'batch-1');
  const again = await batchCall(service, workspace, body, 'batch-1');
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(again.json).toEqual(first.json);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const job = await finishedJob(service, workspace, acceptedJob.parse(first.json).jobId);
  expect(job).toMatchObject({ status: 'failed', failed: 1 });
});
