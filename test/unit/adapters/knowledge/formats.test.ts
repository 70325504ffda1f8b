import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { threadedSegmentMaker } from '../../../../functions/adapters/knowledge/segment-thread.ts';
import type { DocumentType } from '../../../../functions/knowledge/domain/knowledge-base.ts';
import { Segment } from '../../../../functions/knowledge/domain/segment.ts';
import { packed, workbook } from '../../../helpers/workbook.ts';

const maker = threadedSegmentMaker();
const bounded = threadedSegmentMaker({ seconds: 20, heapMb: 256 });

async function passagesOf(bytes: Uint8Array | string, type: DocumentType, made = maker) {
  const { segment } = await made.read(
    Buffer.from(bytes as string),
    type,
    { documentId: 'd', title: 'T' },
    { tenant: 'ws' },
  );
  const read = new Segment(segment);
  return Array.from({ length: read.passageCount }, (_, index) => {
    const { heading, text, page } = read.passage(index);
    return { heading, text, page };
  });
}
const texts = async (bytes: Uint8Array | string, type: DocumentType) =>
  (await passagesOf(bytes, type)).map(({ text }) => text);

/** Written by the packages docx, pptxgenjs and exceljs. */
const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/documents/${name}`, import.meta.url));

const docx = (body: string, prolog = '') =>
  packed({
    'word/document.xml': `${prolog}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml':
      '<w:styles><w:style w:styleId="1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="9"><w:name w:val="toc 1"/></w:style></w:styles>',
  });
const paragraph = (text: string, style = '') =>
  `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe('a .docx', () => {
  it('gives headings, paragraphs and rows, without heads of pages and tables of contents', async () => {
    expect(await passagesOf(fixture('refunds.docx'), 'docx')).toEqual([
      {
        heading: ['환불'],
        text: '환불은 결제한 날부터 7일 안에 신청할 수 있습니다.\n품목 가격\n사과 1,000',
        page: null,
      },
    ]);
  });

  it('is read by the names of its styles with any ids, and once where older programs get a copy', async () => {
    const box =
      '<mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent>';
    const body = [
      paragraph('Contents ... 1', '9'),
      paragraph('Opening', '1'),
      `<w:p><w:r>${box}</w:r></w:p>`,
      '<w:p><w:r><w:instrText>PAGE</w:instrText><w:delText>gone</w:delText><w:t>a &amp; b</w:t></w:r></w:p>',
    ].join('');
    expect(await passagesOf(docx(body), 'docx')).toEqual([{ heading: ['Opening'], text: 'box\na & b', page: null }]);
  });
});

it('a .pptx gives titles, texts, tables and notes with the number of their slide', async () => {
  const [first, second] = await passagesOf(fixture('quarter.pptx'), 'pptx');
  expect(first).toMatchObject({
    heading: ['분기 실적'],
    page: 1,
    text: expect.stringContaining('매출은 12억 원입니다.'),
  });
  expect([first!.text, second?.text].join('\n')).toContain('발표자 노트: 질문을 받는다.');
  expect([first!.text, second?.text].join('\n')).toContain('두 번째 장');
});

it('an .xlsx gives every sheet, each row with the names of its columns and the values of its formulas', async () => {
  expect(await passagesOf(fixture('prices.xlsx'), 'xlsx')).toEqual([
    { heading: ['요금'], text: '지역: 서울, 요금: 3000, 시작: 2026-01-02\n지역: 부산, 요금: 3500', page: null },
    { heading: ['둘'], text: 'only', page: null },
  ]);
});

it('a .csv gives rows with the names of their columns, with any separator', async () => {
  for (const csv of [
    '도시,요금\n"서울, 강남",3000\n',
    '도시;요금\n서울, 강남;3000\n',
    '\ufeff도시\t요금\r\n서울, 강남\t3000\r\n',
  ])
    expect(await texts(csv, 'csv')).toEqual(['도시: 서울, 강남, 요금: 3000']);
});

it('JSON gives the way to each value; a value on each line is read as well', async () => {
  const shop = { name: '가게', open: { monday: ['9-18', '19-21'], sunday: null }, tags: [] };
  expect(await texts(JSON.stringify([shop, { name: '둘' }]), 'json')).toEqual([
    'name: 가게\nopen.monday: 9-18\nopen.monday: 19-21\nname: 둘',
  ]);
  expect(await texts('{"a":1}\n{"a":2}\n', 'json')).toEqual(['a: 1\na: 2']);
});

it('an .epub gives its chapters in the order of the book, without the table of contents', async () => {
  const book = packed({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package><manifest>
      <item id="toc" href="nav.xhtml" properties="nav"/><item id="b" href="text/two%20b.xhtml"/><item id="a" href="text/one.xhtml"/>
      </manifest><spine><itemref idref="toc"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OPS/nav.xhtml': '<html><body><nav><ol><li>One</li><li>Two</li></ol></nav></body></html>',
    'OPS/text/one.xhtml': '<html><body><h1>One</h1><p>first</p></body></html>',
    'OPS/text/two b.xhtml': '<html><body><h1>Two</h1><p>second</p></body></html>',
  });
  expect(await passagesOf(book, 'epub')).toEqual([
    { heading: ['One'], text: 'first', page: null },
    { heading: ['Two'], text: 'second', page: null },
  ]);
});

it('an .eml gives subject, head, text in its own encoding, and the names of attachments', async () => {
  const subject = `=?euc-kr?B?${Buffer.from([0xc8, 0xaf, 0xba, 0xd2]).toString('base64')}?=`;
  const mail = [
    `Subject: ${subject}`,
    'From: Kim <kim@example.com>',
    'To: shop@example.com',
    'Date: Fri, 27 Nov 2026 09:00:00 +0900',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>언제 <b>환불</b>되나요?</p><script>alert(1)</script>',
    '--x',
    'Content-Type: application/pdf; name=bill.pdf',
    'Content-Disposition: attachment; filename=bill.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0=',
    '--x--',
    '',
  ].join('\r\n');
  const [passage, ...others] = await passagesOf(mail, 'eml');
  expect(others).toEqual([]);
  expect(passage!.heading).toEqual(['환불']);
  expect(passage!.text).toMatch(
    /^From: Kim <kim@example.com>\nTo: shop@example.com\nDate: .*2026.*\nAttachments: bill.pdf\n언제 환불되나요\?$/s,
  );
});

describe('a file that is made to break its reader', () => {
  it('is an archive that unpacks to gigabytes, or says less than it unpacks to', async () => {
    const zeros = Buffer.from(zipSync({ 'word/document.xml': new Uint8Array(32 * 2 ** 20) }));
    const saying = (size: number) => {
      const zip = Buffer.from(zeros);
      // The size in the central directory, from which files are read.
      zip.writeUInt32LE(size, zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
      return zip;
    };
    await expect(passagesOf(saying(2 ** 31), 'docx', bounded)).rejects.toMatchObject({ code: 'too_large' });
    await expect(passagesOf(saying(1_000), 'docx', bounded)).rejects.toMatchObject({ name: 'DocumentUnreadable' });
  });

  it('defines entities that grow, or that name a file or an address: none is expanded', async () => {
    const entities = [
      '<!ENTITY a "aaaaaaaaaa">',
      ...Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i} "${`&${i === 0 ? 'a' : `e${i - 1}`};`.repeat(10)}">`),
    ];
    const prolog = `<!DOCTYPE d [${entities.join('')}<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y SYSTEM "http://127.0.0.1:1/">]>`;
    const [text] = await texts(docx(paragraph('fine &e8; &x; &y;'), prolog), 'docx');
    expect(text).toMatch(/^fine /);
    expect(text!.length).toBeLessThan(100);
    expect(text).not.toContain('root:');
  });

  it('is a book that names one chapter a hundred thousand times: it is read once', async () => {
    const book = packed({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
      'book.opf': `<package><manifest><item id="a" href="a.xhtml"/></manifest><spine>${'<itemref idref="a"/>'.repeat(100_000)}</spine></package>`,
      'a.xhtml': `<!--${'x'.repeat(100_000)}--><p>only</p>`,
    });
    expect(book.length).toBeLessThan(20_000);
    expect(await texts(book, 'epub')).toEqual(['only']);
  });

  it('is a sheet with one word in its last cell', async () => {
    const far = packed(workbook({ XFD1048576: 'x' }));
    await expect(passagesOf(far, 'xlsx', bounded)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('is JSON of ten thousand levels, or an e-mail of ten thousand parts within each other', async () => {
    const deep = `${'['.repeat(10_000)}"x"${']'.repeat(10_000)}`;
    await expect(passagesOf(`["fine",${deep}]`, 'json')).resolves.toMatchObject([{ text: 'fine' }]);
    const part = (level: number) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`;
    const nested = `Subject: x\r\n${Array.from({ length: 10_000 }, (_, level) => part(level)).join('')}`;
    await expect(passagesOf(nested, 'eml', bounded)).rejects.toMatchObject({ name: 'DocumentUnreadable' });
  });

  it('is of another type than it says, protected, or damaged', async () => {
    const unreadable = { code: 'unreadable' };
    await expect(passagesOf('hello', 'docx')).rejects.toMatchObject(unreadable);
    await expect(passagesOf(fixture('prices.xlsx'), 'docx')).rejects.toMatchObject(unreadable);
    await expect(passagesOf(fixture('refunds.docx'), 'epub')).rejects.toMatchObject(unreadable);
    await expect(passagesOf(fixture('refunds.docx').subarray(0, 5_000), 'docx')).rejects.toMatchObject(unreadable);
    const protectedFile = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    await expect(passagesOf(protectedFile, 'xlsx')).rejects.toMatchObject({
      ...unreadable,
      message: expect.stringContaining('password'),
    });
    await expect(passagesOf('%PDF-1.7', 'json')).rejects.toMatchObject(unreadable);
    await expect(passagesOf('no mail', 'eml')).rejects.toMatchObject(unreadable);
  });
});
