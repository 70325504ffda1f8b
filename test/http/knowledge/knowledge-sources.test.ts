import { setTimeout as sleep } from 'node:timers/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { s3Client } from '../../../functions/adapters/s3/client.ts';
import { documentPage } from '../../../functions/knowledge/bases/schemas.ts';
import { knowledgeSource, sourceList } from '../../../functions/knowledge/sources/schemas.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { call } from '../../helpers/api.ts';
import { dataOf, refusalOf } from '../../helpers/chat.ts';
import { addText, basePath, createBase, documentsPath, indexed, search } from '../../helpers/knowledge.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { useService } from '../../helpers/service.ts';
import { startWebsite } from '../../helpers/website.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
beforeEach(refillLimits);

type Caller = Pick<typeof service, 'baseUrl' | 'apiKey'>;

const sourcesPath = (base: string) => `${basePath(base)}/sources`;
const add = (base: string, body: object, caller: Caller = service) =>
  call(caller, 'POST', sourcesPath(base), { body: { type: 'website', ...body } });

/** A source once its crawl has ended. */
async function crawled(base: string, body: object, caller: Caller = service) {
  const added = dataOf(await add(base, body, caller), knowledgeSource.strict());
  return ended(base, added.id, caller);
}

async function ended(base: string, id: string, caller: Caller = service): Promise<z.output<typeof knowledgeSource>> {
  for (let i = 0; i < 1200; i++) {
    const source = dataOf(await call(caller, 'GET', `${sourcesPath(base)}/${id}`), knowledgeSource.strict());
    if (source.status === 'ready' || source.status === 'failed') return source;
    await sleep(50);
  }
  throw new Error(`The source ${id} was not read.`);
}

async function documentsOf(base: string, caller: Caller = service) {
  return dataOf(await call(caller, 'GET', `${documentsPath(base)}?limit=100`), documentPage.strict()).documents;
}

const idsOf = async (base: string) => (await documentsOf(base)).map(({ external_id }) => external_id).sort();

const page = (title: string, body: string) => `<html><head><title>${title}</title></head><body>${body}</body></html>`;

describe('a website as a source', () => {
  let site: Awaited<ReturnType<typeof startWebsite>>;
  beforeAll(async () => {
    site = await startWebsite();
  });
  afterAll(() => site.stop());
  beforeEach(() => {
    site.pages.clear();
    site.asked();
  });

  it('is read by its links and its sitemap, within its folder and as robots.txt allows', async () => {
    const links = [
      ...['hours#top', 'hours', '/docs/secret/plan', '/elsewhere', 'logo.png', 'https://example.com/docs/x', 'draft'],
      ...['mailto:a@example.com', 'missing', 'http://[', 'moved'],
    ];
    const body = links.map((link) => `<a href="${link}">x</a>`).join('');
    const shown = {
      '/robots.txt': {
        type: 'text/plain',
        body: `User-agent: *\nDisallow: /docs/secret/\nSitemap: ${site.origin}/map.xml\n`,
      },
      '/map.xml': {
        type: 'application/xml',
        body: `<urlset><url><loc>${site.origin}/docs/listed</loc></url><url><loc>${site.origin}/other</loc></url></urlset>`,
      },
      '/docs/': { body: page(' 안내\n 첫 장 ', `<p>어서 오십시오.</p>${body}`) },
      '/docs/hours': { body: page('Hours', '<p>여름에는 아홉 시에 엽니다.</p><a href="deep">x</a>') },
      '/docs/deep': { body: page('Deep', '<p>세 단계 아래에 있는 장입니다.</p>') },
      '/docs/listed': { body: page('Listed', '<p>사이트맵에만 있는 장입니다.</p>') },
      '/docs/draft': { body: '<meta name="robots" content="noindex"><p>초안입니다.</p>' },
      '/docs/moved': { status: 301, headers: { location: '/docs/there' } },
      '/docs/there': { type: 'text/plain', body: '이 글은 옮겨졌습니다.' },
    };
    for (const [path, each] of Object.entries(shown)) site.pages.set(path, each);
    const base = await createBase(service);
    const source = await crawled(base.id, { url: `${site.origin}/docs/#top`, depth: 2 });
    expect(source).toMatchObject({
      ...{ type: 'website', url: `${site.origin}/docs/`, depth: 2, status: 'ready', next_crawl_at: null, crawl: null },
      last_crawl: { documents: 5, added: 5, replaced: 0, unchanged: 0, removed: 0, stopped_by: null },
      last_error: null,
    });
    const expected = ['', 'deep', 'hours', 'listed', 'there'].map((path) => `${site.origin}/docs/${path}`);
    expect(await idsOf(base.id)).toEqual(expected);
    const asked = site.asked();
    for (const path of ['/docs/secret/plan', '/elsewhere', '/docs/logo.png', '/other'])
      expect(asked.map((each) => each.split(' ')[0])).not.toContain(path);
    const documents = await documentsOf(base.id);
    expect(documents.map(({ title }) => title).sort()).toEqual(['Deep', 'Hours', 'Listed', 'there', '안내 첫 장']);
    for (const { id } of documents) await indexed(service, base.id, id);
    expect(await search(service, base.id, '여름')).toMatchObject([{ title: 'Hours' }]);
  });

  it('costs nothing for pages that have not changed, replaces those that have, and removes those that are gone', async () => {
    site.pages.set('/', {
      body: page('Home', '<p>첫 장입니다.</p><a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>'),
    });
    for (const name of ['a', 'b', 'c']) site.pages.set(`/${name}`, { body: page(name, `<p>${name} 처음</p>`) });
    const base = await createBase(service);
    const own = await addText(service, base.id, '사람이 넣은 글입니다.', { external_id: `${site.origin}/c` });
    const body = { url: `${site.origin}/` };
    const first = await crawled(base.id, body);
    expect(first.last_crawl).toMatchObject({ documents: 4, added: 3, replaced: 1 });
    for (const { id } of await documentsOf(base.id)) await indexed(service, base.id, id);
    site.asked();
    site.pages.set('/b', { body: page('b', '<p>b 다음</p>') });
    site.pages.delete('/a');
    site.pages.delete('/c');
    const again = await add(base.id, { ...body, schedule: 'daily' });
    expect([again.status, dataOf(again, knowledgeSource.strict()).id]).toEqual([200, first.id]);
    const second = await ended(base.id, first.id);
    expect(second).toMatchObject({
      schedule: 'daily',
      next_crawl_at: expect.any(String),
      last_crawl: { documents: 2, added: 0, replaced: 1, unchanged: 1, removed: 1 },
    });
    expect(site.asked()).toEqual(expect.arrayContaining(['/ 304', '/b 200', '/a 404', '/c 404']));
    // A document added by a member stays, though the source has read its page.
    expect(await idsOf(base.id)).toEqual(['/', '/b', '/c'].map((path) => `${site.origin}${path}`));
    expect((await documentsOf(base.id)).map(({ id }) => id)).toContain(own.id);
  });

  it('keeps its documents when the site is down, and says why', async () => {
    site.pages.set('/', { body: page('Home', '<p>첫 장입니다.</p>') });
    const base = await createBase(service);
    const body = { url: `${site.origin}/` };
    await crawled(base.id, body);
    site.pages.set('/robots.txt', { status: 503 });
    expect(await crawled(base.id, body)).toMatchObject({
      status: 'failed',
      last_error: { code: 'fetch_failed', message: expect.stringContaining('robots.txt answered with status 503') },
    });
    site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /' });
    expect(await crawled(base.id, body)).toMatchObject({ status: 'failed', last_error: { code: 'disallowed' } });
    expect(await idsOf(base.id)).toEqual([`${site.origin}/`]);
  });

  it.each([
    ['https://10.0.0.1/', 'not on the public internet'],
    ['http://169.254.169.254/latest/meta-data/', 'https'],
    ['https://unknown.invalid/', 'could not be read'],
  ])('cannot be at %s', async (url, message) => {
    const base = await createBase(service);
    const { status, last_error } = await crawled(base.id, { url });
    expect([status, last_error?.code]).toEqual(['failed', 'fetch_failed']);
    expect(last_error?.message).toContain(message);
  });

  it('leads to no other host by a redirect', async () => {
    site.pages.set('/', { status: 302, headers: { location: 'http://169.254.169.254/' } });
    const base = await createBase(service);
    expect(await crawled(base.id, { url: `${site.origin}/` })).toMatchObject({
      last_error: { message: expect.stringContaining('another host') },
    });
  });

  it('ends at the number of documents that it may make', async () => {
    site.pages.set('/', { body: page('Home', '<p>첫 장</p><a href="/a">a</a><a href="/b">b</a>') });
    for (const name of ['a', 'b']) site.pages.set(`/${name}`, { body: page(name, `<p>${name}</p>`) });
    const base = await createBase(service);
    expect((await crawled(base.id, { url: `${site.origin}/`, max_documents: 2 })).last_crawl).toMatchObject({
      documents: 2,
      stopped_by: 'max_documents',
    });
  });

  it('is listed, found and removed with its documents', async () => {
    site.pages.set('/', { body: page('Home', '<p>첫 장입니다.</p>') });
    const base = await createBase(service);
    const kept = await addText(service, base.id, '다른 글입니다.');
    const source = await crawled(base.id, { url: `${site.origin}/` });
    const list = () => call(service, 'GET', sourcesPath(base.id));
    expect(dataOf(await list(), sourceList.strict()).sources).toEqual([source]);
    expect((await call(service, 'DELETE', `${sourcesPath(base.id)}/${source.id}`)).status).toBe(204);
    expect(dataOf(await list(), sourceList.strict()).sources).toEqual([]);
    for (const method of ['GET', 'DELETE'])
      expect(refusalOf(await call(service, method, `${sourcesPath(base.id)}/${source.id}`))[0]).toBe(404);
    for (let i = 0; i < 200 && (await documentsOf(base.id)).length > 1; i++) await sleep(50);
    expect((await documentsOf(base.id)).map(({ id }) => id)).toEqual([kept.id]);
  });
});

describe('objects in S3 as a source', () => {
  const put = (workspaceId: string, key: string, text: string, type?: string) =>
    s3Client().send(
      new PutObjectCommand({
        Bucket: environment('SOURCES_BUCKET').SOURCES_BUCKET,
        Key: `${workspaceId}/${key}`,
        Body: Buffer.from(text),
        ...(type && { ContentType: type }),
      }),
    );

  it('are those of the workspace alone, below their prefix', async () => {
    const other = await createWorkspace();
    await Promise.all([
      put(service.workspaceId, 'manuals/a.md', '# 환불\n\n환불은 7일 안에 신청합니다.'),
      put(service.workspaceId, 'manuals/b/c.txt', '보관은 냉장고에 합니다.', 'text/plain'),
      put(service.workspaceId, 'manuals/logo.png', 'png', 'image/png'),
      put(service.workspaceId, 'private/x.txt', '밖', 'text/plain'),
      put(other.workspaceId, 'manuals/foreign.txt', '남의 글', 'text/plain'),
    ]);
    const base = await createBase(service);
    const body = { type: 's3', prefix: 'manuals/' };
    const source = await crawled(base.id, body);
    expect(source).toMatchObject({ type: 's3', url: null, prefix: 'manuals/', last_crawl: { added: 2, skipped: 1 } });
    expect(await idsOf(base.id)).toEqual(['s3:manuals/a.md', 's3:manuals/b/c.txt']);
    await put(service.workspaceId, 'manuals/a.md', '# 환불\n\n환불은 열흘 안에 신청합니다.');
    expect((await crawled(base.id, body)).last_crawl).toMatchObject({ replaced: 1, unchanged: 1, removed: 0 });
    const own = { ...other, baseUrl: service.baseUrl };
    const theirs = await createBase(own);
    await crawled(theirs.id, body, own);
    expect((await documentsOf(theirs.id, own)).map(({ external_id }) => external_id)).toEqual([
      's3:manuals/foreign.txt',
    ]);
  });
});

describe('a source', () => {
  it.each([
    [400, { type: 'website' }],
    [400, { type: 'website', url: 'ftp://example.com/' }],
    [400, { type: 'website', url: 'https://example.com/', depth: 11 }],
    [422, { type: 'website', url: 'https://example.com/', schedule: 'minutely' }],
    [400, { type: 'website', url: 'https://example.com/', prefix: 'a' }],
    [422, { type: 's3', prefix: '../other' }],
    [422, { type: 's3', prefix: '/a' }],
    [400, { type: 'ftp' }],
  ])('is refused with %i for %j', async (status, body) => {
    const base = await createBase(service);
    expect(refusalOf(await call(service, 'POST', sourcesPath(base.id), { body }))[0]).toBe(status);
  });

  it('needs a base of the workspace', async () => {
    const other = await createWorkspace();
    const theirs = { ...service, baseUrl: service.baseUrl, apiKey: other.apiKey };
    const base = await createBase(theirs);
    const body = { url: 'https://example.com/' };
    expect(refusalOf(await add(base.id, body))[0]).toBe(404);
    expect(refusalOf(await call(service, 'GET', sourcesPath(base.id)))[0]).toBe(404);
  });

  it('is one of at most ten of a base', async () => {
    const base = await createBase(service);
    for (let i = 0; i < 10; i++) expect((await add(base.id, { type: 's3', prefix: `p${i}/` })).status).toBe(201);
    await refillLimits();
    const [status, message] = refusalOf(await add(base.id, { type: 's3', prefix: 'more/' }));
    expect([status, message]).toEqual([409, expect.stringContaining('10 sources')]);
    expect((await call(service, 'DELETE', basePath(base.id))).status).toBe(204);
  });
});
