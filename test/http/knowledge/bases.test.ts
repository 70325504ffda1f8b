import { beforeEach, describe, expect, it } from 'vitest';
import { basePage, knowledgeBase } from '../../../functions/knowledge/bases/schemas.ts';
import { call } from '../../helpers/api.ts';
import { dataOf, refusalOf } from '../../helpers/chat.ts';
import {
  addCall,
  BASES_PATH,
  basePath,
  createBase,
  documentPath,
  documentsPath,
  indexText,
  search,
  uploadFile,
} from '../../helpers/knowledge.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { joinedMember } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
beforeEach(refillLimits);

const UNKNOWN = '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';
const REFUND = '환불은 결제한 날부터 7일 안에 신청할 수 있습니다. 신청하면 사흘 안에 돈이 돌아옵니다.';

describe('knowledge bases', () => {
  it('are created, listed newest first, found and removed', async () => {
    const answer = await call(service, 'POST', BASES_PATH, { body: { name: ' 안내 ', description: 'd' } });
    const created = dataOf(answer, knowledgeBase.strict());
    expect(created).toEqual({
      ...{ id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), name: '안내', description: 'd' },
      ...{ document_count: 0, passage_count: 0, created_at: expect.any(String), embedding: null },
    });
    expect(answer.headers.get('location')).toBe(basePath(created.id));
    const second = await createBase(service);
    const first = dataOf(await call(service, 'GET', `${BASES_PATH}?limit=1`), basePage.strict());
    expect(first.knowledge_bases).toEqual([second]);
    const rest = await call(service, 'GET', `${BASES_PATH}?limit=100&cursor=${first.next_cursor}`);
    expect(dataOf(rest, basePage.strict()).knowledge_bases[0]).toEqual(created);
    expect((await call(service, 'DELETE', basePath(created.id))).status).toBe(204);
    for (const method of ['GET', 'DELETE'])
      expect(refusalOf(await call(service, method, basePath(created.id)))[0]).toBe(404);
    expect(await createBase(service, { name: '안내' })).toMatchObject({ name: '안내' });
  });

  it('are renamed and described otherwise, under a name that is free', async () => {
    const [one, other] = [await createBase(service), await createBase(service)];
    const change = (body: object) => call(service, 'PATCH', basePath(one.id), { body });
    const name = `${one.name} again`;
    expect(dataOf(await change({ name }), knowledgeBase.strict())).toEqual({ ...one, name });
    expect(dataOf(await change({ description: 'For all' }), knowledgeBase.strict())).toMatchObject({
      name,
      description: 'For all',
    });
    expect(dataOf(await call(service, 'GET', basePath(one.id)), knowledgeBase.strict())).toMatchObject({ name });
    expect(refusalOf(await change({ name: other.name }))[0]).toBe(409);
    expect(refusalOf(await change({ colour: 'red' }))[0]).toBe(400);
    // Its former name is free.
    expect(await createBase(service, { name: one.name })).toMatchObject({ name: one.name });
  });

  it('bases have unique names', async () => {
    const { name } = await createBase(service);
    const [status, message] = refusalOf(await call(service, 'POST', BASES_PATH, { body: { name } }));
    expect(status).toBe(409);
    expect(message).toContain(name);
  });

  it.each([
    [400, { name: '' }],
    [400, { name: 'a\nb' }],
    [400, {}],
    [400, { name: 'x', unknown: 1 }],
    [400, { name: 'x', description: 'd'.repeat(1001) }],
  ])('%i for %j', async (status, body) => {
    expect(refusalOf(await call(service, 'POST', BASES_PATH, { body }))[0]).toBe(status);
  });

  it('are at most 100', async () => {
    const workspace = await createWorkspace();
    const own = { ...service, baseUrl: service.baseUrl, apiKey: workspace.apiKey };
    for (let i = 0; i < 100; i += 10) await Promise.all(Array.from({ length: 10 }, () => createBase(own)));
    const [status, message] = refusalOf(await call(own, 'POST', BASES_PATH, { body: { name: 'one more' } }));
    expect([status, message]).toEqual([409, expect.stringContaining('100 knowledge bases')]);
    const page = dataOf(await call(own, 'GET', BASES_PATH), basePage.strict());
    await call(own, 'DELETE', basePath(page.knowledge_bases[0]!.id));
    await createBase(own);
  });
});

describe('who may', () => {
  it('another workspace finds nothing of a base, and no upload of it', async () => {
    const base = await createBase(service);
    const document = await indexText(service, base.id, REFUND);
    const upload_id = await uploadFile(service, base.id, Buffer.from(REFUND), 'text/plain');
    const other = { baseUrl: service.baseUrl, apiKey: (await createWorkspace()).apiKey };
    for (const [method, path, body] of [
      ['GET', basePath(base.id)],
      ['DELETE', basePath(base.id)],
      ['GET', documentsPath(base.id)],
      ['GET', documentPath(base.id, document.id)],
      ['DELETE', documentPath(base.id, document.id)],
      ['POST', documentsPath(base.id), { title: 't', text: 'x' }],
      ['POST', `${basePath(base.id)}/uploads`, { content_type: 'text/plain', content_length: 1 }],
      ['POST', `${basePath(base.id)}/search`, { query: '환불' }],
    ] as const)
      expect([method, path, refusalOf(await call(other, method, path, { body }))[0]]).toEqual([method, path, 404]);
    expect(dataOf(await call(other, 'GET', BASES_PATH), basePage.strict()).knowledge_bases).toEqual([]);
    const own = await createBase(other);
    expect(refusalOf(await addCall(other, own.id, { upload_id }))[0]).toBe(422);
    expect(await createBase(other, { name: base.name })).toMatchObject({ name: base.name });
    expect(await search(service, base.id, '환불')).toHaveLength(1);
  });

  it('viewers read and search, and write nothing; a key without the scope does neither', async () => {
    const base = await createBase(service);
    const document = await indexText(service, base.id, REFUND);
    const { tokens } = await joinedMember(service, service, 'viewer');
    const as = (method: string, path: string, body?: object) =>
      call(service, method, path, { key: null, body, headers: { authorization: `Bearer ${tokens.access_token}` } });
    for (const path of [BASES_PATH, basePath(base.id), documentsPath(base.id), documentPath(base.id, document.id)])
      expect((await as('GET', path)).status).toBe(200);
    expect((await as('POST', `${basePath(base.id)}/search`, { query: '환불' })).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', BASES_PATH, { name: 'viewer' }],
      ['POST', documentsPath(base.id), { title: 't', text: 'x' }],
      ['POST', `${basePath(base.id)}/uploads`, { content_type: 'text/plain', content_length: 1 }],
      ['DELETE', documentPath(base.id, document.id), undefined],
      ['DELETE', basePath(base.id), undefined],
    ] as const)
      expect([path, refusalOf(await as(method, path, body))[0]]).toEqual([path, 403]);
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { scopes: ['extraction'] });
    expect(refusalOf(await call(service, 'GET', BASES_PATH, { key: apiKey }))[0]).toBe(403);
  });

  it.each([
    [404, basePath(UNKNOWN)],
    [404, documentPath(UNKNOWN, UNKNOWN)],
    [404, documentsPath(UNKNOWN)],
    [400, basePath('no-uuid')],
  ])('%i for %s', async (status, path) => {
    expect(refusalOf(await call(service, 'GET', path))[0]).toBe(status);
  });
});
