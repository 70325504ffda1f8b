import { beforeAll, describe, expect, it } from 'vitest';
import { upload as uploadSchema } from '../../../functions/extraction/schemas.ts';
import { call, extractWhenFree, problemOf, uploadCall } from '../../helpers/api.ts';
import { batchCall, finishedJob } from '../../helpers/batch.ts';
import { placesNaming } from '../../helpers/everything-stored.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let page: Buffer;

beforeAll(async () => {
  page = await oneLinePage();
});

const remove = (workspace: TestWorkspace, path: string) => call(service, 'DELETE', path, { key: workspace.apiKey });

async function uploaded(workspace: TestWorkspace): Promise<{ readonly imageUrl: string; readonly name: string }> {
  const { json } = await uploadCall(service, workspace, { contentType: 'image/png' });
  const { uploadUrl, imageUrl } = uploadSchema.parse(json);
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: new Uint8Array(page) });
  return { imageUrl, name: /upl_\w+/.exec(imageUrl)![0] };
}

async function extracted(workspace: TestWorkspace, body: object, key?: string): Promise<string> {
  const { status, json } = await extractWhenFree(service, workspace, body, key);
  expect(status, JSON.stringify(json)).toBe(200);
  return (json as { requestId: string }).requestId;
}

describe('DELETE /api/v1/extractions/{id}', () => {
  it.each([
    ['that was settled by itself', {}],
    ['that was settled from the line of a busy workspace', { crowd: { atMs: Date.now() + 60_000, waitedMs: 0 } }],
  ])('leaves no trace outside of the ledger and the audit trail of an extraction %s', async (_case, options) => {
    const workspace = await createWorkspace({ freeCallsUsed: 10, ...options });
    const { imageUrl, name } = await uploaded(workspace);
    const id = await extracted(workspace, { imageUrl }, 'key-1');
    expect((await placesNaming(service, name)).length).toBeGreaterThan(0);

    expect((await remove(workspace, `/api/v1/extractions/${id}`)).status).toBe(204);

    expect(await placesNaming(service, name)).toEqual([]);
    const tables = (await placesNaming(service, id)).map((place) => place.split(' ')[0]);
    expect([...new Set(tables)]).toEqual(['accounts', 'idempotency']);
    const kept = (await placesNaming(service, workspace.workspaceId)).filter((place) =>
      /^(file|extractions) /.test(place),
    );
    expect(kept).toEqual([]);
    expect((await call(service, 'GET', `/api/v1/extractions/${id}`, { key: workspace.apiKey })).status).toBe(404);
    expect((await remove(workspace, `/api/v1/extractions/${id}`)).status).toBe(404);

    const again = await extractWhenFree(service, workspace, { imageUrl }, 'key-1');
    expect([again.status, problemOf(again).code]).toEqual([410, 'result_not_kept']);
    const balance = await call(service, 'GET', '/api/v1/balance', { key: workspace.apiKey });
    expect(balance.json).toMatchObject({ balanceKrw: 9_800 });
  });

  it('deletes nothing of another workspace', async () => {
    const [owner, other] = [await createWorkspace(), await createWorkspace()];
    const id = await extracted(owner, { image: page.toString('base64') });
    expect((await remove(other, `/api/v1/extractions/${id}`)).status).toBe(404);
    expect((await call(service, 'GET', `/api/v1/extractions/${id}`, { key: owner.apiKey })).status).toBe(200);
  });
});

describe('a batch', () => {
  const sent = async (workspace: TestWorkspace, body: object) =>
    ((await batchCall(service, workspace, body)).json as { jobId: string }).jobId;

  it('keeps of an image whose extraction was deleted only what it cost', async () => {
    const workspace = await createWorkspace({ freeCallsUsed: 10 });
    const { imageUrl, name } = await uploaded(workspace);
    const jobId = await sent(workspace, { imageUrls: [imageUrl], images: [page.toString('base64')] });
    const before = await finishedJob(service, workspace, jobId);
    const [first, second] = before.images;

    expect((await remove(workspace, `/api/v1/extractions/${first?.extractionId}`)).status).toBe(204);

    const after = await finishedJob(service, workspace, jobId);
    expect(after.images[0]).toMatchObject({
      source: '',
      status: 'completed',
      deleted: true,
      extractionId: null,
      geometry: null,
    });
    expect(after.images[1]).toEqual(second);
    expect([after.completed, after.cost]).toEqual([before.completed, before.cost]);
    expect(await placesNaming(service, name)).toEqual([]);
  });

  it('that is deleted takes its images and extractions with it, and what still waits is never charged', async () => {
    const [workspace, other] = [await createWorkspace({ freeCallsUsed: 10 }), await createWorkspace()];
    const done = await sent(workspace, { images: [page.toString('base64')] });
    const [image] = (await finishedJob(service, workspace, done)).images;
    const waiting = await sent(workspace, { images: Array(20).fill(page.toString('base64')) });
    expect((await remove(other, `/api/v1/jobs/${done}`)).status).toBe(404);

    for (const jobId of [done, waiting]) expect((await remove(workspace, `/api/v1/jobs/${jobId}`)).status).toBe(204);

    const charged = (await call(service, 'GET', '/api/v1/balance/entries', { key: workspace.apiKey })).json;
    for (const jobId of [done, waiting]) {
      expect((await call(service, 'GET', `/api/v1/jobs/${jobId}`, { key: workspace.apiKey })).status).toBe(404);
      const places = await placesNaming(service, jobId);
      expect(places.filter((place) => !/^(accounts|idempotency) /.test(place))).toEqual([]);
    }
    expect(
      (await placesNaming(service, String(image?.extractionId))).filter((place) => !place.startsWith('accounts ')),
    ).toEqual([]);
    expect((await call(service, 'GET', '/api/v1/balance/entries', { key: workspace.apiKey })).json).toEqual(charged);
  });
});

it('401 without a credential', async () => {
  for (const path of ['/api/v1/extractions/ext_1', '/api/v1/jobs/job_1'])
    expect((await call(service, 'DELETE', path, { key: null })).status).toBe(401);
});
