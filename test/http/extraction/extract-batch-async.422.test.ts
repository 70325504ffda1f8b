import { expect, it } from 'vitest';
import { problemOf } from '../../helpers/api.ts';
import { batchCall } from '../../helpers/batch.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

it('422 unknown_template names those that there are, and leaves the key free', async () => {
  const workspace = await createWorkspace();
  const body = { imageUrls: ['https://example.com/page.png'], templateId: 'none' };
  const answer = await batchCall(service, workspace, body, 'order-1');
  expect(answer.status).toBe(422);
  expect(problemOf(answer)).toMatchObject({
    code: 'unknown_template',
    details: { known: expect.arrayContaining(['default']) },
  });
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ extractions: [], idempotencyKeys: [] });
});

it('422 idempotency_key_reused for another body under the same key', async () => {
  const workspace = await createWorkspace();
  const first = await batchCall(service, workspace, { images: ['AAAA'] }, 'order-1');
  expect(first.status).toBe(202);
  const other = await batchCall(service, workspace, { images: ['AAAB'] }, 'order-1');
  expect(other.status).toBe(422);
  expect(problemOf(other).code).toBe('idempotency_key_reused');
});
