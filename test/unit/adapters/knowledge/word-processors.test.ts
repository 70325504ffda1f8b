import { deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { threadedSegmentMaker } from '../../../../functions/adapters/knowledge/segment-thread.ts';
import type { DocumentType } from '../../../../functions/knowledge/domain/knowledge-base.ts';
import { Segment } from '../../../../functions/knowledge/domain/segment.ts';
import { doc } from '../../../helpers/doc.ts';
import { hwp, hwpControl, hwpParagraph, hwpRecord, hwpTable } from '../../../helpers/hwp.ts';
import { ole } from '../../../helpers/ole.ts';
import { packed } from '../../../helpers/workbook.ts';

const bounded = threadedSegmentMaker({ seconds: 20, heapMb: 256 });

async function passagesOf(bytes: Uint8Array | string, type: DocumentType) {
  const file = Buffer.from(bytes as string);
  const { segment } = await bounded.read(file, type, { documentId: 'd', title: 'T' }, { tenant: 'ws' });
  const read = new Segment(segment);
  return Array.from({ length: read.passageCount }, (_, index) => {
    const { heading, text } = read.passage(index);
    return { heading, text };
  });
}

const refusal = (message: string) => ({ code: 'unreadable', message: expect.stringContaining(message) });

describe('a .hwp', () => {
  const extended = (code: number) => String.fromCharCode(code, 0, 0, 0, 0, 0, 0, code);

  it('gives headings, paragraphs, rows of tables and footnotes, without heads of pages and hidden comments', async () => {
    const body = Buffer.concat([
      hwpParagraph('환불', { form: 1 }),
      hwpParagraph(`${extended(2)}환불은${extended(9)}7일 안에${extended(17)} 됩니다.\n둘째 줄`),
      hwpControl('head', 1, hwpParagraph('머리말', { level: 2 })),
      hwpControl('tcmt', 1, hwpParagraph('원가 500원', { level: 2 })),
      hwpControl('fn  ', 1, hwpParagraph('각주입니다.', { level: 2 })),
      hwpParagraph('요금', { form: 2 }),
      hwpParagraph(extended(11)),
      hwpTable([
        ['지역', '요금'],
        ['서울', '3000'],
      ]),
      hwpParagraph(extended(11)),
      hwpTable([['틀 안의 글']]),
    ]);
    expect(await passagesOf(hwp([body, hwpParagraph('둘째 구역')]), 'hwp')).toEqual([
      { heading: ['환불'], text: '환불은 7일 안에 됩니다.\n둘째 줄\n각주입니다.' },
      { heading: ['환불', '요금'], text: '지역 요금\n서울 3000\n틀 안의 글\n둘째 구역' },
    ]);
  });

  it('is read unpacked, with long records and next to its scripts, which are not read', async () => {
    const long = '가'.repeat(3_000);
    const script = Buffer.from('function OnDocument_Open() { steal(); }', 'utf16le');
    const others = { 'Scripts/DefaultJScript': deflateRawSync(script), 'Scripts/JScriptVersion': Buffer.alloc(8) };
    const passages = await passagesOf(hwp([hwpParagraph(long)], { flags: 1 << 3, others }), 'hwp');
    expect(passages.map(({ text }) => text).join('')).toHaveLength(3_000);
  });

  it('is refused by name when it is protected, for distribution, or of an older format', async () => {
    const body = [hwpParagraph('글')];
    await expect(passagesOf(hwp(body, { flags: 1 | 2 }), 'hwp')).rejects.toMatchObject(refusal('a password'));
    await expect(passagesOf(hwp(body, { flags: 1 | 4 }), 'hwp')).rejects.toMatchObject(refusal('배포용 문서'));
    await expect(passagesOf(hwp(body, { flags: 1 | 16 }), 'hwp')).rejects.toMatchObject(refusal('DRM'));
    await expect(passagesOf('HWP Document File V3.00 \x1a', 'hwp')).rejects.toMatchObject(refusal('Hangul 3'));
  });

  it('says so when all of its text is hidden', async () => {
    const body = [hwpControl('tcmt', 0, hwpParagraph('원가', { level: 1 }))];
    await expect(passagesOf(hwp(body), 'hwp')).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringContaining('hidden'),
    });
  });
});

describe('an OLE container made to break its reader', () => {
  it('has a section that unpacks to gigabytes', async () => {
    const bomb = deflateRawSync(Buffer.alloc(300 * 2 ** 20));
    const others = { 'BodyText/Section0': bomb };
    await expect(passagesOf(hwp([], { others }), 'hwp')).rejects.toMatchObject({ code: 'too_large' });
  });

  it('has chains of sectors and folders that meet themselves, or that lead out of the file', async () => {
    const file = hwp([hwpParagraph('가'.repeat(4_000))], { flags: 0 });
    const fat = (file.readUInt32LE(76) + 1) * 512;
    const directory = (file.readUInt32LE(48) + 1) * 512;
    const changed = (change: (copy: Buffer) => void) => {
      const copy = Buffer.from(file);
      change(copy);
      return passagesOf(copy, 'hwp');
    };
    const damaged = { code: 'unreadable' };
    for (const next of [0, 0x00ffffff])
      await expect(
        changed((copy) => {
          for (let sector = 0; sector < 8; sector++) copy.writeUInt32LE(next, fat + 4 * sector);
        }),
      ).rejects.toMatchObject(damaged);
    // Every entry has itself as a sibling, and the first one as its child.
    const looped = await changed((copy) => {
      for (let entry = 1; entry < 4; entry++) copy.writeUInt32LE(entry, directory + 128 * entry + 68);
    });
    expect(looped).not.toEqual([]);
  });

  it('is cut at any place', async () => {
    const file = hwp([hwpParagraph('가'.repeat(4_000))], { flags: 0 });
    for (let length = 0; length < file.length - 1_024; length += 997)
      await expect(passagesOf(file.subarray(0, length), 'hwp')).rejects.toMatchObject({ code: 'unreadable' });
    const short = Buffer.concat([hwpParagraph('글'), hwpRecord(67, 1, Buffer.alloc(100)).subarray(0, 50)]);
    await expect(passagesOf(hwp([short]), 'hwp')).rejects.toMatchObject({ code: 'unreadable' });
  });
});

describe('a .hwpx', () => {
  const hwpx = (section: string, others: Record<string, string> = {}) =>
    packed({
      mimetype: 'application/hwp+zip',
      'Contents/header.xml':
        '<hh:head><hh:paraPr id="0"><hh:heading type="NONE" level="0"/></hh:paraPr><hh:paraPr id="7"><hh:heading type="OUTLINE" level="0"/></hh:paraPr></hh:head>',
      'Contents/section0.xml': `<hs:sec>${section}</hs:sec>`,
      ...others,
    });
  const p = (inner: string, form = '0') => `<hp:p paraPrIDRef="${form}"><hp:run>${inner}</hp:run></hp:p>`;
  const t = (text: string) => `<hp:t>${text}</hp:t>`;
  const table = (rows: string[][]) =>
    `<hp:tbl rowCnt="${rows.length}" colCnt="${rows[0]!.length}">${rows
      .map(
        (row) =>
          `<hp:tr>${row.map((cell) => `<hp:tc><hp:subList>${p(t(cell))}</hp:subList></hp:tc>`).join('')}</hp:tr>`,
      )
      .join('')}</hp:tbl>`;

  it('gives the same as a .hwp, in the order of its sections, under either media type', async () => {
    const section = [
      p(t('환불'), '7'),
      p(
        `<hp:ctrl><hp:header><hp:subList>${p(t('머리말'))}</hp:subList></hp:header></hp:ctrl>` +
          `<hp:ctrl><hp:hiddenComment><hp:subList>${p(t('원가'))}</hp:subList></hp:hiddenComment></hp:ctrl>` +
          `${t('환불은<hp:tab/>7일 안에')}<hp:ctrl><hp:footNote><hp:subList>${p(t('각주입니다.'))}</hp:subList></hp:footNote></hp:ctrl>` +
          t(' 됩니다.<hp:lineBreak/>둘째 <hp:deleteBegin/>지운 글<hp:deleteEnd/>줄'),
      ),
      p(
        `${t('표 앞')}${table([
          ['지역', '요금'],
          ['서울', table([['3000']])],
        ])}${t('표 뒤')}`,
      ),
    ].join('');
    const file = hwpx(section, {
      'Contents/section10.xml': `<hs:sec>${p(t('열째'))}</hs:sec>`,
      'Contents/section2.xml': `<hs:sec>${p(t('둘째'))}</hs:sec>`,
    });
    const expected = [
      {
        heading: ['환불'],
        text: '환불은 7일 안에 됩니다.\n둘째 줄\n각주입니다.\n표 앞\n지역 요금\n서울 3000\n표 뒤\n둘째\n열째',
      },
    ];
    expect(await passagesOf(file, 'hwpx')).toEqual(expected);
    expect(await passagesOf(file, 'hwp')).toEqual(expected);
  });

  it('is refused when it is encrypted, unpacks to gigabytes, is cut, or is another archive', async () => {
    const manifest = { 'META-INF/manifest.xml': '<odf:file-entry><odf:encryption-data/></odf:file-entry>' };
    await expect(passagesOf(hwpx(p(t('글')), manifest), 'hwpx')).rejects.toMatchObject(refusal('a password'));
    const bomb = zipSync({
      'Contents/header.xml': Buffer.from('<hh:head/>'),
      ...Object.fromEntries([0, 1, 2].map((i) => [`Contents/section${i}.xml`, new Uint8Array(100 * 2 ** 20)])),
    });
    await expect(passagesOf(bomb, 'hwpx')).rejects.toMatchObject({ code: 'too_large' });
    await expect(passagesOf(hwpx(p(t('글'))).subarray(0, 300), 'hwpx')).rejects.toMatchObject(refusal('damaged'));
    await expect(passagesOf(packed({ 'word/document.xml': '<x/>' }), 'hwpx')).rejects.toMatchObject(refusal('type'));
  });
});

describe('an .odt', () => {
  const odt = (body: string, styles = '') =>
    packed({
      'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
      'styles.xml':
        '<office:document-styles><style:style style:name="Secret"><style:text-properties text:display="none"/></style:style></office:document-styles>',
    });

  it('gives headings, paragraphs, rows and notes, without hidden, deleted and repeated text', async () => {
    const row = (...cells: string[]) =>
      `<table:table-row>${cells.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`;
    const body = [
      '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>',
      '<text:table-of-content><text:index-body><text:p>Refunds 1</text:p></text:index-body></text:table-of-content>',
      '<text:h text:outline-level="1">Refunds</text:h>',
      '<text:p>Within<text:s text:c="3"/>7 days<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>.<text:line-break/>Next<text:span text:style-name="T1"> cost 500</text:span></text:p>',
      '<text:p><office:annotation><text:p>comment</text:p></office:annotation><text:hidden-text>x</text:hidden-text>shown</text:p>',
      '<text:section text:display="none"><text:p>hidden section</text:p></text:section>',
      `<table:table>${row('Region', 'Fee')}${row('Seoul', '3000')}<table:table-row table:visibility="collapse"><table:table-cell><text:p>cost</text:p></table:table-cell></table:table-row></table:table>`,
    ].join('');
    const styles = '<style:style style:name="T1" style:parent-style-name="Secret"/>';
    expect(await passagesOf(odt(body, styles), 'odt')).toEqual([
      { heading: ['Refunds'], text: 'Within 7 days.\nNext\nA note.\nshown\nRegion Fee\nSeoul 3000' },
    ]);
    await expect(passagesOf(odt('<text:p text:style-name="Secret">x</text:p>'), 'odt')).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringContaining('hidden'),
    });
  });
});

describe('an .rtf', () => {
  const korean = (text: string) =>
    [...iconv.encode(text, 'cp949')].map((byte) => `\\'${byte.toString(16).padStart(2, '0')}`).join('');
  const rtf = (body: string) =>
    `{\\rtf1\\ansi\\ansicpg949\\deff0\\uc1{\\fonttbl{\\f0\\fcharset129 ${korean('맑은 고딕')};}{\\f1\\fcharset0 Arial;}}{\\stylesheet{\\s1\\outlinelevel0 heading 1;}}{\\*\\generator x;}{\\info{\\title secret}}${body}}`;

  it('gives headings, paragraphs, rows and footnotes in Korean, without hidden text, pictures and objects', async () => {
    const body = [
      '{\\header head\\par}',
      `\\pard\\s1 ${korean('환불')}\\par`,
      `\\pard ${korean('환불은')} \\u54872?\\u-23476? {\\v cost 500}is 7 days{\\footnote \\chftn a note}.\\line next\\par`,
      '{\\pict\\pngblip 89504e47}{\\object{\\*\\objdata 0105}{\\result shown}}',
      `\\trowd\\cellx100\\cellx200\\intbl A\\cell B\\cell\\row\\trowd\\intbl C\\cell {\\f1 ${korean('값')}}{\\f1  caf\\'e9}\\cell\\row`,
      '\\pard {\\field{\\*\\fldinst HYPERLINK "http://127.0.0.1/"}{\\fldrslt link}} after\\bin4 }}}{ end\\par',
    ].join('\n');
    expect(await passagesOf(rtf(body), 'rtf')).toEqual([
      { heading: ['환불'], text: '환불은 환ꑌ is 7 days.\nnext\na note\nA B\nC 값 café\nlink after end' },
    ]);
  });

  it('is read when it is cut or ends its groups too often, and refused with groups of any depth', async () => {
    expect(await passagesOf(rtf('fine}}}} still').slice(0, -1), 'rtf')).toEqual([{ heading: [], text: 'fine still' }]);
    await expect(passagesOf(rtf('{'.repeat(100_000)), 'rtf')).rejects.toMatchObject(refusal('groups'));
    await expect(passagesOf(rtf('{\\v cost}'), 'rtf')).rejects.toMatchObject({ code: 'no_text' });
    await expect(passagesOf('no rtf', 'rtf')).rejects.toMatchObject(refusal('type'));
  });
});

describe('a .doc', () => {
  it('gives headings, paragraphs and rows, without hidden text and the codes of fields', async () => {
    const row = { isInTable: true } as const;
    const file = doc([
      { text: '환불', style: 1 },
      { text: '환불은 \x13 HYPERLINK "http://127.0.0.1/" \x147일\x15 안에', hidden: ' 원가 500원' },
      { text: '지역', ...row },
      { text: '요금', ...row },
      { text: '', ...row, isEndOfRow: true },
      { text: '서울', ...row },
      { text: '3000', hidden: '원가', ...row },
      { text: '', ...row, isEndOfRow: true },
      { text: '끝' },
    ]);
    expect(await passagesOf(file, 'doc')).toEqual([
      { heading: ['환불'], text: '환불은 7일 안에\n지역 요금\n서울 3000\n끝' },
    ]);
  });

  it('is read as the .rtf or .docx that it often is', async () => {
    expect(await passagesOf('{\\rtf1 hello}', 'doc')).toMatchObject([{ text: 'hello' }]);
    const docx = packed({ 'word/document.xml': '<w:document><w:p><w:r><w:t>hello</w:t></w:r></w:p></w:document>' });
    expect(await passagesOf(docx, 'doc')).toMatchObject([{ text: 'hello' }]);
  });

  it('is refused when it is protected, too old, damaged or all hidden', async () => {
    const paragraphs = [{ text: 'hello' }];
    await expect(passagesOf(doc(paragraphs, { flags: 0x0300 }), 'doc')).rejects.toMatchObject(refusal('a password'));
    await expect(passagesOf(doc(paragraphs, { version: 0x65 }), 'doc')).rejects.toMatchObject(refusal('before 97'));
    await expect(passagesOf(ole({ Workbook: Buffer.alloc(9) }), 'doc')).rejects.toMatchObject(refusal('type'));
    await expect(passagesOf(doc(paragraphs).subarray(0, 2_000), 'doc')).rejects.toMatchObject(refusal('damaged'));
    await expect(passagesOf(doc([{ text: '', hidden: '원가' }]), 'doc')).rejects.toMatchObject({ code: 'no_text' });
  });
});
