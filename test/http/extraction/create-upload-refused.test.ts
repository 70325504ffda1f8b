import { beforeAll, describe, expect, it, vi } from 'vitest';
import { call, problemOf, UPLOADS_PATH, uploadCall } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await createWorkspace();
});

describe('400 invalid_request names the field', () => {
  it.each([
    [{}, 'contentType'],
    [{ contentType: 7 }, 'contentType'],
    [{ contentType: '' }, 'contentType'],
    [{ contentType: 'image/png', contentLength: 0 }, 'contentLength'],
    [{ contentType: 'image/png', contentLength: 1.5 }, 'contentLength'],
    [{ contentType: 'image/png', contentLength: '4' }, 'contentLength'],
    [{ contentType: 'image/png', fileName: 'a.png' }, 'fileName'],
  ])('%j', async (body, field) => {
    const answer = await uploadCall(service, workspace, body);
    expect(answer.status).toBe(400);
    const problem = problemOf(answer);
    expect(problem.code).toBe('invalid_request');
    expect(Object.keys((problem.details as { fields: object }).fields)).toEqual([field]);
  });

  it('no contentLength, where the deployment requires one', async () => {
    vi.stubEnv('UPLOADS_NEED_LENGTH', '1');
    try {
      const answer = await uploadCall(service, workspace, { contentType: 'image/png' });
      expect(answer.status).toBe(400);
      expect(Object.keys((problemOf(answer).details as { fields: object }).fields)).toEqual(['contentLength']);
      const bound = { contentType: 'image/png', contentLength: 1_000 };
      expect((await uploadCall(service, workspace, bound)).status).toBe(200);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('no JSON', async () => {
    const answer = await call({ ...service, ...workspace }, 'POST', UPLOADS_PATH, { raw: 'contentType=image/png' });
    expect(answer.status).toBe(400);
    expect(problemOf(answer).code).toBe('invalid_request');
  });
});

it('401 invalid_key comes before anything else is looked at', async () => {
  const answer = await call(service, 'POST', UPLOADS_PATH, { key: null, raw: 'not JSON' });
  expect(answer.status).toBe(401);
  expect(problemOf(answer).code).toBe('invalid_key');
});

it('403 forbidden for a key without the scope', async () => {
  const { apiKey, keyId } = await createWorkspace();
  await changeKey(keyId, { scopes: ['chat', 'sandbox'] });
  const answer = await uploadCall(service, { apiKey }, { contentType: 'image/png' });
  expect(answer.status).toBe(403);
  expect(problemOf(answer)).toMatchObject({ code: 'forbidden', details: { scope: 'extraction' } });
});

it('413 image_too_large: one byte more than 18 MB', async () => {
  const limit = 18 * 1024 * 1024;
  const order = (contentLength: number) => uploadCall(service, workspace, { contentType: 'image/png', contentLength });
  expect((await order(limit)).status).toBe(200);
  const answer = await order(limit + 1);
  expect(answer.status).toBe(413);
  expect(problemOf(answer)).toMatchObject({ code: 'image_too_large', message: expect.stringContaining('18 MB') });
});

describe('415 unsupported_media_type lists the accepted types', () => {
  it.each(['image/gif', 'image/svg+xml', 'text/html', 'image/png; charset=utf-8', 'png', ' image/png'])(
    '%j',
    async (contentType) => {
      const answer = await uploadCall(service, workspace, { contentType });
      expect(answer.status).toBe(415);
      expect(problemOf(answer)).toMatchObject({
        code: 'unsupported_media_type',
        message: expect.stringContaining('image/jpeg, image/png'),
      });
    },
  );
});
