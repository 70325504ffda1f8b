import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { problemOf } from '../../helpers/api.ts';
import { batchCall } from '../../helpers/batch.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

it.each([
  ['image_too_large', 'an image of 19 MB, which it names', [1000, 19_000_000], 'images.1'],
  [
    'request_too_large',
    'images that are small enough one by one',
    [10_000_000, 10_000_000, 10_000_000],
    '/api/v1/uploads',
  ],
])('413 %s: %s', async (code, _, sizes, says) => {
  const workspace = await createWorkspace();
  const images = sizes.map((bytes) => randomBytes(bytes).toString('base64'));
  const answer = await batchCall(service, workspace, { images }, 'order-1');
  expect(answer.status).toBe(413);
  expect(problemOf(answer)).toMatchObject({ code, message: expect.stringContaining(says) });
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ extractions: [], idempotencyKeys: [] });
});
