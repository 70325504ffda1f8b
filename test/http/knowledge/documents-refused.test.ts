import { beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { refusalOf } from '../../helpers/chat.ts';
import { addCall, basePath, createBase, indexFile, search, searchCall } from '../../helpers/knowledge.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { pdfOf } from '../../helpers/pdf.ts';
import { scannedPage } from '../../helpers/scanned-page.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();
beforeEach(refillLimits);

describe('refused documents', () => {
  let base: string;
  beforeEach(async () => {
    base = (await createBase(service)).id;
  });

  it.each([
    [422, { text: 'x', upload_id: 'kbu_0' }],
    [422, {}],
    [422, { text: 'x', content_type: 'application/pdf' }],
    [400, { text: '' }],
    [400, { text: 'x', title: '' }],
    [413, { text: 'x'.repeat(1_000_001) }],
    [415, { text: 'x', content_type: 'application/zip' }],
    [422, { text: 'x', content_type: 'message/rfc822' }],
    [422, { upload_id: 'kbu_01JDEXAMPLE000000000000000' }],
    [422, { upload_id: '../../etc/passwd' }],
    [422, { upload_id: 'upl_01JDEXAMPLE000000000000000' }],
  ])('%i for %o', async (status, body) => {
    expect(refusalOf(await addCall(service, base, body))[0]).toBe(status);
  });

  it.each([
    [413, { content_type: 'application/pdf', content_length: 101 * 1024 * 1024 }],
    [415, { content_type: 'audio/mpeg', content_length: 10 }],
    [400, { content_type: 'text/plain', content_length: 0 }],
  ])('an upload: %i for %j', async (status, body) => {
    expect(refusalOf(await call(service, 'POST', `${basePath(base)}/uploads`, { body }))[0]).toBe(status);
  });

  it('an upload takes what it was made for, and nothing else', async () => {
    const body = { content_type: 'text/plain', content_length: 5 };
    const answer = await call(service, 'POST', `${basePath(base)}/uploads`, { body });
    const { upload_url } = (answer.json as { data: { upload_url: string } }).data;
    const put = (content: string, type = 'text/plain') =>
      fetch(upload_url, { method: 'PUT', headers: { 'content-type': type }, body: content });
    expect((await put('hello, world')).status).toBe(403);
    expect((await put('hello', 'text/html')).status).toBe(403);
    expect((await put('hello')).status).toBe(200);
  });

  it('is found in a picture, and on a scanned page of a PDF that has text as well', async () => {
    const own = await createBase(service);
    const picture = await scannedPage('환불은 결제한 날부터 7일 안에 신청할 수 있습니다.');
    const image = await indexFile(service, own.id, picture, 'image/png');
    expect(image).toMatchObject({ type: 'image', status: 'ready', page_count: 1, pages_without_text: 0 });
    expect(await search(service, own.id, '환불')).toMatchObject([{ document_id: image.id, page: 1 }]);
    const pdf = await indexFile(service, own.id, pdfOf('Opening hours', ''), 'application/pdf');
    expect(pdf).toMatchObject({ status: 'ready', page_count: 2, pages_without_text: 1 });
  });

  it.each([
    ['application/pdf', Buffer.from('%PDF-1.7 and no more'), 'unreadable', 'damaged'],
    ['image/png', Buffer.from('no picture'), 'unreadable', 'not a JPEG'],
    ['application/pdf', Buffer.from('plain text'), 'unreadable', 'not a PDF'],
    ['application/epub+zip', Buffer.from('plain text'), 'unreadable', 'content_type'],
    ['application/json', Buffer.from('{"a":'), 'unreadable', 'not JSON'],
    ['text/plain', pdfOf('x'), 'unreadable', 'is a PDF'],
    ['application/pdf', pdfOf(''), 'no_text', 'pictures'],
    ['text/plain', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff, 0xfe, 0x80]), 'unreadable', 'not text'],
    ['text/html', Buffer.from('<script>only()</script>'), 'no_text', 'no text'],
    ['text/plain', Buffer.from(' \n\n '), 'no_text', 'no text'],
  ])('%s that cannot be indexed fails with a reason', async (type, bytes, code, words) => {
    const { status, failure } = await indexFile(service, base, bytes, type);
    expect(status).toBe('failed');
    expect(failure).toEqual({ code, message: expect.stringContaining(words) });
  });

  it.each([
    [400, { query: '' }],
    [400, { query: 'x'.repeat(2001) }],
    [400, { query: 'x', limit: 51 }],
    [400, { query: 'x', limit: 0 }],
    [400, {}],
  ])('a search: %i for %o', async (status, body) => {
    expect(refusalOf(await searchCall(service, base, body))[0]).toBe(status);
  });
});
