import { describe, expect, it, vi } from 'vitest';
import { call, EXTRACT_PATH, extractCall, problemOf } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { tracesOf } from '../../helpers/workspace.ts';

const service = useService();

const untouched = { balanceKrw: 10_000, freeCallsUsed: 0, charges: [], extractions: [], idempotencyKeys: [] };

describe('400 invalid_request, and nothing charged', () => {
  it.each([
    ['not JSON', '{"image": ', 'not JSON'],
    ['form data', 'image=AA%3D%3D', 'not JSON'],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00]), 'not valid UTF-8'],
    ['no body', '', 'no body'],
    ['a list', '[]', 'the body'],
    ['neither image nor imageUrl', '{}', 'exactly one of image and imageUrl'],
    ['both', '{"image":"AA==","imageUrl":"https://example.com/a.png"}', 'exactly one of image and imageUrl'],
    ['image null', '{"image":null}', 'image: '],
    ['image not base64', '{"image":"not base64!"}', 'image is not base64'],
    ['image empty', '{"image":""}', 'image: is empty'],
    ['imageUrl no URL', '{"imageUrl":"page.png"}', 'imageUrl: '],
    ['an unknown member', '{"image":"AA==","imageURL":"x"}', 'imageURL: is not known here'],
    ['templateId a number', '{"image":"AA==","templateId":7}', 'templateId: '],
    ['serviceDate no day', '{"image":"AA==","serviceDate":"2026-02-30"}', 'serviceDate: must be a day like 2026-11-01'],
  ])('%s', async (_, raw, message) => {
    const answer = await call(service, 'POST', EXTRACT_PATH, { raw, headers: { 'idempotency-key': 'bad-input' } });
    expect(answer.status).toBe(400);
    const problem = problemOf(answer);
    expect(problem.code).toBe('invalid_request');
    expect(problem.message).toContain(message);
    expect(await tracesOf(service.workspaceId)).toEqual(untouched);
  });

  it('debug anywhere but in the local service, where it is 1 or left out', async () => {
    const withDebug = async (debug: string) => {
      const answer = await call(service, 'POST', `${EXTRACT_PATH}?debug=${debug}`, { body: { image: 'AA==' } });
      expect(answer.status).toBe(400);
      return problemOf(answer).message;
    };
    expect(await withDebug('yes')).toContain('debug: must be 1, or left out');
    vi.stubEnv('TRIPOD_LOCAL', '0');
    try {
      expect(await withDebug('1')).toContain('debug: is not known here');
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await tracesOf(service.workspaceId)).toEqual(untouched);
  });

  it.each(['two words', 'x'.repeat(256)])('an Idempotency-Key like %j', async (key) => {
    const answer = await extractCall(service, service, { image: 'AA==' }, key);
    expect(answer.status).toBe(400);
    expect(problemOf(answer).message).toContain('idempotency-key: must be 1 to 255 visible ASCII characters');
    expect(await tracesOf(service.workspaceId)).toEqual(untouched);
  });
});
