import sharp from 'sharp';
import { expect, it } from 'vitest';
import { extractCall, problemOf } from '../../helpers/api.ts';
import { samplePage, shortPage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

const untouched = { balanceKrw: 500, freeCallsUsed: 10, charges: [], extractions: [], idempotencyKeys: [] };

it('422 unreadable_image: a JPEG that was cut off', async () => {
  const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
  const jpeg = await sharp(await samplePage())
    .jpeg()
    .toBuffer();
  const image = jpeg.subarray(0, jpeg.length / 2).toString('base64');
  const answer = await extractCall(service, workspace, { image }, 'order-1');
  expect(answer.status).toBe(422);
  expect(problemOf(answer).code).toBe('unreadable_image');
  expect(await tracesOf(workspace.workspaceId)).toEqual(untouched);
});

it('422 unknown_template, which lists the known ones', async () => {
  const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
  const answer = await extractCall(service, workspace, { image: 'AA==', templateId: 'v2' }, 'order-1');
  expect(answer.status).toBe(422);
  expect(problemOf(answer)).toMatchObject({ code: 'unknown_template', details: { known: ['default'] } });
  expect(await tracesOf(workspace.workspaceId)).toEqual(untouched);
});

it('422 idempotency_key_reused for another body; after a failure the key is free for any body', async () => {
  const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
  const image = (await shortPage()).toString('base64');
  const failed = await extractCall(service, workspace, { image: 'AA==' }, 'order-1');
  expect(failed.status).toBe(415);
  const first = await extractCall(service, workspace, { image }, 'order-1');
  expect(first.status, JSON.stringify(first.json)).toBe(200);

  const other = await extractCall(service, workspace, { image: 'AA==' }, 'order-1');
  expect(other.status).toBe(422);
  expect(problemOf(other).code).toBe('idempotency_key_reused');
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({
    balanceKrw: 300,
    charges: [{ amountKrw: -200 }],
    extractions: [{}],
    idempotencyKeys: ['order-1'],
  });
});
