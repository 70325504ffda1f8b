import { beforeAll, expect, it } from 'vitest';
import { extractCall, problemOf } from '../../helpers/api.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();
let image: string;

beforeAll(async () => {
  image = (await oneLinePage()).toString('base64');
});

it('409 idempotency_in_progress while the first call runs, 422 for another body, then the first answer', async () => {
  const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10 });
  const first = extractCall(service, workspace, { image }, 'order-1');
  while (!(await tracesOf(workspace.workspaceId)).idempotencyKeys.includes('order-1'));

  const [again, otherBody] = await Promise.all([
    extractCall(service, workspace, { image }, 'order-1'),
    extractCall(service, workspace, { image: 'AA==' }, 'order-1'),
  ]);
  expect(again.status).toBe(409);
  expect(problemOf(again).code).toBe('idempotency_in_progress');
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(otherBody.status).toBe(422);
  expect(problemOf(otherBody).code).toBe('idempotency_key_reused');

  const done = await first;
  expect(done.status, JSON.stringify(done.json)).toBe(200);
  const replay = await extractCall(service, workspace, { image }, 'order-1');
  expect(replay.json).toEqual(done.json);
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 800, charges: [{}], extractions: [{}] });
});
