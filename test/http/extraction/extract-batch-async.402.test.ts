import { expect, it } from 'vitest';
import { problemOf } from '../../helpers/api.ts';
import { batchCall } from '../../helpers/batch.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

it('402 insufficient_balance when not even one image can be paid for: there is no job, and the key stays free', async () => {
  const workspace = await createWorkspace({ balanceKrw: 199, freeCallsUsed: 10 });
  const answer = await batchCall(service, workspace, { imageUrls: ['https://example.com/page.png'] }, 'order-1');
  expect(answer.status).toBe(402);
  expect(problemOf(answer)).toMatchObject({
    code: 'insufficient_balance',
    details: { balanceKrw: 199, requiredKrw: 200 },
  });
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ charges: [], extractions: [], idempotencyKeys: [] });
});
