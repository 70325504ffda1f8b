import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addedDocument,
  documentPage,
  knowledgeBase,
  knowledgeDocument,
} from '../../../functions/knowledge/bases/schemas.ts';
import { call } from '../../helpers/api.ts';
import { dataOf, refusalOf } from '../../helpers/chat.ts';
import { doc } from '../../helpers/doc.ts';
import { hwp, hwpParagraph } from '../../helpers/hwp.ts';
import {
  addCall,
  addText,
  basePath,
  createBase,
  documentPath,
  documentsPath,
  indexed,
  indexFile,
  indexText,
  search,
  searchCall,
  uploadFile,
} from '../../helpers/knowledge.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { pdfOf } from '../../helpers/pdf.ts';
import { useService } from '../../helpers/service.ts';
import { packed } from '../../helpers/workbook.ts';

const service = useService();
beforeEach(refillLimits);

const REFUND = '환불은 결제한 날부터 7일 안에 신청할 수 있습니다. 신청하면 사흘 안에 돈이 돌아옵니다.';
const STORAGE = '인슐린은 냉장고에서 섭씨 2도에서 8도 사이로 보관하십시오.';

describe('documents', () => {
  it('become ready, and are found with their title, heading and text', async () => {
    const base = await createBase(service);
    const text = `# 고객 안내\n\n## 환불\n\n${REFUND}\n\n## 보관\n\n${STORAGE}\n`;
    const added = await addText(service, base.id, text, { title: '안내서', content_type: 'text/markdown' });
    expect(added).toMatchObject({
      ...{ title: '안내서', type: 'markdown', status: 'pending', failure: null, finished_at: null },
      ...{ bytes: Buffer.byteLength(text), passage_count: 0, page_count: null },
    });
    const ready = await indexed(service, base.id, added.id);
    expect(ready).toMatchObject({ status: 'ready', failure: null, passage_count: 2, page_count: null });
    const results = await search(service, base.id, '환불을 언제까지 받나요?');
    expect(results[0]).toEqual({
      ...{ document_id: added.id, title: '안내서', page: null, heading: ['고객 안내', '환불'], text: REFUND },
      score: expect.any(Number),
    });
    expect((await search(service, base.id, '인슐린 보관온도', { limit: 1 }))[0]).toMatchObject({ text: STORAGE });
    expect(dataOf(await call(service, 'GET', basePath(base.id)), knowledgeBase.strict())).toMatchObject({
      document_count: 1,
      passage_count: 2,
    });
  });

  it('of HTML lose their scripts, and of PDF keep their pages', async () => {
    const base = await createBase(service);
    const html =
      '<html><head><title>t</title><style>p{}</style></head><body><h1>가격</h1><p>월 <b>9,900</b>원<script>secret()</script></p><ul><li>첫째<li>둘째</ul><h2>할인</h2><p>학생은 반값입니다.</body>';
    expect(await indexText(service, base.id, html, { content_type: 'text/html; charset=utf-8' })).toMatchObject({
      ...{ status: 'ready', type: 'html', passage_count: 2 },
    });
    expect(await search(service, base.id, '9900원')).toMatchObject([
      { heading: ['가격'], text: '월 9,900원\n첫째\n둘째' },
    ]);
    expect((await search(service, base.id, '학생 할인'))[0]).toMatchObject({ heading: ['가격', '할인'] });
    expect(await search(service, base.id, 'secret')).toEqual([]);
    const filler = 'Nothing of interest is written on this page of the manual, and it goes on for a while. '.repeat(3);
    const pdf = pdfOf(filler, `The warranty lasts for twenty-four months.\n${filler}`, filler);
    const document = await indexFile(service, base.id, pdf, 'application/pdf');
    expect(document).toMatchObject({ status: 'ready', type: 'pdf', page_count: 3, passage_count: 3 });
    const [hit] = await search(service, base.id, 'how long is the warranty');
    expect(hit).toMatchObject({ document_id: document.id, page: 2 });
    expect(hit!.text).toContain('warranty lasts');
  });

  it('in CP949 and UTF-16 are read', async () => {
    const base = await createBase(service);
    // 약국 (CP949)
    const cp949 = Buffer.from([0xbe, 0xe0, 0xb1, 0xb9]);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('병원', 'utf16le')]);
    for (const bytes of [cp949, utf16])
      expect(await indexFile(service, base.id, bytes, 'text/plain')).toMatchObject({ status: 'ready' });
    expect(await search(service, base.id, '약국')).toMatchObject([{ text: '약국' }]);
    expect(await search(service, base.id, '병원')).toMatchObject([{ text: '병원' }]);
  });

  it('are listed newest first in pages', async () => {
    const base = await createBase(service);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await addText(service, base.id, `글 ${i}`)).id);
    const first = dataOf(await call(service, 'GET', `${documentsPath(base.id)}?limit=2`), documentPage.strict());
    expect(first.documents.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const path = `${documentsPath(base.id)}?limit=2&cursor=${first.next_cursor}`;
    const second = dataOf(await call(service, 'GET', path), documentPage.strict());
    expect(second).toMatchObject({ documents: [{ id: ids[0] }], next_cursor: null });
  });

  it('removed documents are in no answer from then on, in any state', async () => {
    const base = await createBase(service);
    const kept = await indexText(service, base.id, REFUND, { title: 'kept' });
    const removed = await indexText(service, base.id, REFUND, { title: 'removed' });
    expect(await search(service, base.id, '환불')).toHaveLength(2);
    const waiting = await addText(service, base.id, REFUND, { title: 'waiting' });
    for (const { id } of [removed, waiting]) {
      expect((await call(service, 'DELETE', documentPath(base.id, id))).status).toBe(204);
      expect((await search(service, base.id, '환불')).map(({ document_id }) => document_id)).not.toContain(id);
      for (const method of ['GET', 'DELETE'])
        expect(refusalOf(await call(service, method, documentPath(base.id, id)))[0]).toBe(404);
    }
    // A segment that a run was storing meanwhile comes to nothing.
    await indexText(service, base.id, STORAGE);
    expect((await search(service, base.id, '환불')).map(({ document_id }) => document_id)).toEqual([kept.id]);
    expect(dataOf(await call(service, 'GET', basePath(base.id)), knowledgeBase.strict())).toMatchObject({
      ...{ document_count: 2, passage_count: 2 },
    });
    expect((await call(service, 'DELETE', basePath(base.id))).status).toBe(204);
    expect(refusalOf(await searchCall(service, base.id, { query: '환불' }))[0]).toBe(404);
    expect(refusalOf(await call(service, 'GET', documentPath(base.id, kept.id)))[0]).toBe(404);
  });

  it('many small ones are merged, and all of them are found', async () => {
    const base = await createBase(service);
    const names = Array.from({ length: 12 }, (_, i) => `word${i}x`);
    const added = await Promise.all(names.map((word) => addText(service, base.id, `이 글에는 ${word} 있다`)));
    for (const { id } of added) expect(await indexed(service, base.id, id)).toMatchObject({ status: 'ready' });
    for (const [i, word] of names.entries())
      expect(await search(service, base.id, word)).toMatchObject([{ document_id: added[i]!.id }]);
  });
});

describe('a document that is replaced', () => {
  const put = (base: string, id: string, body: object) =>
    call(service, 'PUT', documentPath(base, id), { body: { title: 'Opening hours', ...body } });
  const shownOf = (answer: Awaited<ReturnType<typeof put>>) => dataOf(answer, knowledgeDocument.strict());

  it('is found by its new text alone once that is indexed, under the id that it had', async () => {
    const base = await createBase(service);
    const { id } = await indexText(service, base.id, '여름에는 아홉 시에 엽니다.');
    const replaced = shownOf(await put(base.id, id, { text: '겨울에는 열 시에 엽니다.' }));
    expect(replaced).toMatchObject({ id, title: 'Opening hours', finished_at: null });
    expect(await indexed(service, base.id, id)).toMatchObject({ status: 'ready', passage_count: 1 });
    expect(await search(service, base.id, '겨울')).toMatchObject([{ document_id: id, title: 'Opening hours' }]);
    expect((await search(service, base.id, '여름')).map(({ text }) => text).join()).not.toContain('아홉');
    expect(dataOf(await call(service, 'GET', basePath(base.id)), knowledgeBase.strict())).toMatchObject({
      document_count: 1,
      passage_count: 1,
    });
    const upload_id = await uploadFile(service, base.id, Buffer.from('봄에는 여덟 시에 엽니다.'), 'text/plain');
    shownOf(await put(base.id, id, { upload_id }));
    const { content_hash } = await indexed(service, base.id, id);
    expect(content_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await search(service, base.id, '봄')).toMatchObject([{ document_id: id }]);
    expect((await call(service, 'DELETE', documentPath(base.id, id))).status).toBe(204);
    expect(await search(service, base.id, '봄')).toEqual([]);
  });

  it('is not indexed again where nothing has changed', async () => {
    const base = await createBase(service);
    const body = { text: '여름에는 아홉 시에 엽니다.', title: 'Opening hours' };
    const { id } = await indexText(service, base.id, body.text, { title: body.title });
    const before = await indexed(service, base.id, id);
    expect(shownOf(await put(base.id, id, body))).toEqual(before);
    expect(shownOf(await put(base.id, id, { ...body, title: 'Hours' })).status).toBe('pending');
  });

  it('is refused for what a new one is refused for', async () => {
    const base = await createBase(service);
    const { id } = await indexText(service, base.id, 'x');
    const unknown = '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';
    expect(refusalOf(await put(base.id, unknown, { text: 'x' }))[0]).toBe(404);
    expect(refusalOf(await put(base.id, id, {}))[0]).toBe(422);
    expect(refusalOf(await put(base.id, id, { text: 'x', external_id: 'a' }))[0]).toBe(400);
    expect(refusalOf(await put(base.id, id, { text: 'x', content_type: 'image/gif' }))[0]).toBe(415);
  });
});

it('documents with an external_id are added once, replaced when their text has changed, and told apart by base', async () => {
  const [base, other] = [await createBase(service), await createBase(service)];
  const sync = (id: string, text: string) => addCall(service, id, { text, title: 'Wiki', external_id: 'wiki/한국?1' });
  const first = await sync(base.id, '첫 번째 글');
  expect(first.status).toBe(201);
  const { id, external_id, content_hash } = dataOf(first, addedDocument.strict());
  expect(external_id).toBe('wiki/한국?1');
  expect(content_hash).toBe(createHash('sha256').update('첫 번째 글').digest('hex'));
  await indexed(service, base.id, id);
  const same = await sync(base.id, '첫 번째 글');
  expect([same.status, dataOf(same, addedDocument.strict())]).toMatchObject([200, { id, status: 'ready' }]);
  const changed = await sync(base.id, '두 번째 글');
  expect([changed.status, dataOf(changed, addedDocument.strict())]).toMatchObject([200, { id, same_title_as: null }]);
  await indexed(service, base.id, id);
  expect((await search(service, base.id, '글')).map(({ text }) => text)).toEqual(['두 번째 글']);
  expect((await sync(other.id, '첫 번째 글')).status).toBe(201);
  expect((await call(service, 'DELETE', documentPath(base.id, id))).status).toBe(204);
  expect((await sync(base.id, '세 번째 글')).status).toBe(201);
});

describe('a document by its address', () => {
  let site: Server;
  let origin: string;
  let page = { status: 200, type: 'text/html; charset=utf-8', body: '' };
  beforeAll(async () => {
    site = createServer((_, response) => {
      response
        .writeHead(page.status, { 'content-type': page.type, location: 'http://169.254.169.254/' })
        .end(page.body);
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => void site.close());

  it('is read, found, and read again when it has changed, under its address', async () => {
    const base = await createBase(service);
    const sync = () => addCall(service, base.id, { title: 'Hours', url: `${origin}/hours` });
    page = { status: 200, type: 'text/html', body: '<nav>Menu</nav><h1>Hours</h1><p>여름에는 아홉 시에 엽니다.</p>' };
    const first = await sync();
    const { id, external_id, type } = dataOf(first, addedDocument.strict());
    expect([first.status, external_id, type]).toEqual([201, `${origin}/hours`, 'html']);
    expect(await indexed(service, base.id, id)).toMatchObject({ status: 'ready', passage_count: 1 });
    expect(await search(service, base.id, '여름')).toMatchObject([{ document_id: id, heading: ['Hours'] }]);
    expect(dataOf(await sync(), addedDocument.strict())).toMatchObject({ id, status: 'ready' });
    page.body = '<p>겨울에는 열 시에 엽니다.</p>';
    expect(dataOf(await sync(), addedDocument.strict())).toMatchObject({ id, status: 'pending' });
    await indexed(service, base.id, id);
    expect((await search(service, base.id, '시에')).map(({ text }) => text)).toEqual(['겨울에는 열 시에 엽니다.']);
  });

  it.each([
    ['answers with 404', { status: 404 }, 422, 'status 404'],
    ['is led to an address within a network', { status: 302 }, 422, 'url'],
    ['is of no type of documents', { type: 'image/gif' }, 415, 'image/gif'],
  ] as const)('is refused where it %s', async (_, how, status, words) => {
    const base = await createBase(service);
    page = { status: 200, type: 'text/html', body: 'x', ...how };
    const refusal = refusalOf(await addCall(service, base.id, { url: `${origin}/x` }));
    expect(refusal).toEqual([status, expect.stringContaining(words)]);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'https://localhost.localdomain/',
    'file:///etc/passwd',
    'x',
  ])('is refused at %s', async (url) => {
    const base = await createBase(service);
    expect([400, 422]).toContain(refusalOf(await addCall(service, base.id, { url }))[0]);
  });
});

it('a document says which other one has its title', async () => {
  const base = await createBase(service);
  const first = await addText(service, base.id, 'one', { title: 'Twice' });
  expect(first.same_title_as).toBeNull();
  expect((await addText(service, base.id, 'two', { title: 'Twice' })).same_title_as).toBe(first.id);
  expect((await addText(service, base.id, 'three', { title: 'Once' })).same_title_as).toBeNull();
});

it('documents of Word, Hangul, LibreOffice and others are found by what they say', async () => {
  const base = await createBase(service);
  const fixture = (name: string) => readFile(new URL(`../../fixtures/documents/${name}`, import.meta.url));
  const office = 'application/vnd.openxmlformats-officedocument';
  const files = [
    [`${office}.wordprocessingml.document`, await fixture('refunds.docx'), 'docx', '환불 신청 7일', '7일'],
    [`${office}.presentationml.presentation`, await fixture('quarter.pptx'), 'pptx', '매출', '12억'],
    [`${office}.spreadsheetml.sheet`, await fixture('prices.xlsx'), 'xlsx', '부산 요금', '요금: 3500'],
    ['application/x-hwp', hwp([hwpParagraph('주차는 두 시간 무료입니다.')]), 'hwp', '주차', '두 시간'],
    [
      'application/hwp+zip',
      packed({
        'Contents/header.xml': '<hh:head/>',
        'Contents/section0.xml': '<hs:sec><hp:p><hp:run><hp:t>흡연은 옥상에서만</hp:t></hp:run></hp:p></hs:sec>',
      }),
      ...(['hwpx', '흡연', '옥상'] as const),
    ],
    ['application/rtf', Buffer.from('{\\rtf1 Bicycles belong in the yard.}'), 'rtf', 'bicycles', 'yard'],
    ['application/msword', doc([{ text: '택배는 경비실에', hidden: '비밀번호 0000' }]), 'doc', '택배', '경비실에'],
    [
      'application/vnd.oasis.opendocument.text',
      packed({ 'content.xml': '<office:text><text:p>반려견은 목줄을 합니다.</text:p></office:text>' }),
      ...(['odt', '반려견', '목줄'] as const),
    ],
    [
      'message/rfc822',
      Buffer.from('Subject: 휴무\r\nFrom: a@example.com\r\n\r\n설날에는 쉽니다.'),
      'eml',
      '설날',
      '쉽니다',
    ],
  ] as const;
  for (const [mediaType, bytes, type, query, found] of files) {
    const document = await indexFile(service, base.id, bytes, mediaType);
    expect(document).toMatchObject({ status: 'ready', type });
    const [best] = await search(service, base.id, query);
    expect(best).toMatchObject({ document_id: document.id, text: expect.stringContaining(found) });
  }
  expect(JSON.stringify(await search(service, base.id, '비밀번호 0000'))).not.toContain('0000');
  const table = await indexText(service, base.id, '품목,가격\n배,2000\n', { content_type: 'text/csv' });
  expect(table).toMatchObject({ status: 'ready', type: 'csv' });
  expect((await search(service, base.id, '배의 가격'))[0]).toMatchObject({ text: '품목: 배, 가격: 2000' });
});

it('a document all of whose text is hidden fails, and says so', async () => {
  const base = await createBase(service);
  const file = doc([{ text: '', hidden: '원가 500원' }]);
  const { status, failure } = await indexFile(service, base.id, file, 'application/msword');
  expect([status, failure?.code]).toEqual(['failed', 'no_text']);
  expect(failure!.message).toContain('All text of the document is hidden');
});

it('a text is Markdown where its title says so and nothing says another type', async () => {
  const base = await createBase(service);
  const guide = { title: 'guide.md' };
  expect(await indexText(service, base.id, '# 환불', guide)).toMatchObject({ type: 'markdown' });
  const said = { ...guide, content_type: 'text/plain' };
  expect(await indexText(service, base.id, '# 환불', said)).toMatchObject({ type: 'text' });
  const upload_id = await uploadFile(service, base.id, Buffer.from('# 배송'), 'text/plain');
  const { json } = await addCall(service, base.id, { title: 'Delivery.MD', upload_id });
  expect(dataOf({ status: 201, json } as never, addedDocument)).toMatchObject({ type: 'markdown' });
});
