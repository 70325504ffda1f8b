import { expect, it } from 'vitest';
import { call, problemOf } from '../../helpers/api.ts';
import { BATCH_PATH, batchCall } from '../../helpers/batch.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

const url = 'https://example.com/page.png';

it.each([
  ['without images', {}, /1 to 100 images/, ['imageUrls', 'images']],
  ['with empty lists', { imageUrls: [], images: [] }, /1 to 100 images/, ['imageUrls', 'images']],
  ['with 101 addresses', { imageUrls: Array(101).fill(url) }, /imageUrls/, ['imageUrls']],
  ['with 101 inline images', { images: Array(101).fill('AAAA') }, /images/, ['images']],
  [
    'with 101 of both',
    { imageUrls: Array(100).fill(url), images: ['AAAA'] },
    /this one has 101/,
    ['imageUrls', 'images'],
  ],
  ['with an image that is not base64', { images: ['AAAA', '!'] }, /images\.1/, ['images.1']],
  ['with an invalid address', { imageUrls: [url, 'page.png'] }, /imageUrls\.1/, ['imageUrls.1']],
  ['with a number for an address', { imageUrls: [7] }, /imageUrls\.0/, ['imageUrls.0']],
  ['with a wrong field', { imageUrls: [url], image: 'AAAA' }, /image/, ['image']],
])('a batch %s is refused whole, by the name of the field', async (_, body, says, fields) => {
  const workspace = await createWorkspace();
  const answer = await batchCall(service, workspace, body, 'order-1');
  expect(answer.status).toBe(400);
  const { code, message, details } = problemOf(answer);
  expect(code).toBe('invalid_request');
  expect(message).toMatch(says);
  expect(Object.keys((details as { fields: object }).fields)).toEqual(fields);
  expect(await tracesOf(workspace.workspaceId)).toMatchObject({ charges: [], extractions: [], idempotencyKeys: [] });
});

it('a body without JSON is not a batch', async () => {
  const workspace = await createWorkspace();
  const answer = await call({ ...service, ...workspace }, 'POST', BATCH_PATH, { raw: 'imageUrls=a' });
  expect(answer.status).toBe(400);
  expect(problemOf(answer).code).toBe('invalid_request');
});
