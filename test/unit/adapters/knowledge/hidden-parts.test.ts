import { describe, expect, it } from 'vitest';
import { readText } from '../../../../functions/adapters/knowledge/segment-thread.ts';
import type { DocumentType } from '../../../../functions/knowledge/domain/knowledge-base.ts';
import { packed, workbook } from '../../../helpers/workbook.ts';

const text = async (bytes: Uint8Array, type: DocumentType) => (await readText(bytes, type, { tenant: 'ws' })).text;
const ALL_HIDDEN = { code: 'no_text', message: expect.stringContaining('hidden text is left out') };

describe('an .xlsx', () => {
  const xlsx = (sheet: string, { state = 'visible', styles = '' } = {}) => {
    const files = workbook({});
    return packed({
      ...files,
      'xl/workbook.xml': files['xl/workbook.xml']!.replace('name="1"', `name="요금" state="${state}"`),
      'xl/worksheets/sheet1.xml': `<worksheet>${sheet}</worksheet>`,
      'xl/styles.xml': styles,
    });
  };
  const cell = (at: string, words: string) => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`;
  const ROWS = [
    `<row r="1">${cell('A1', '품목')}${cell('B1', '원가')}${cell('C1', '요금')}${cell('D1', '비고')}</row>`,
    `<row r="2">${cell('A2', '사과')}${cell('B2', '100')}${cell('C2', '300')}${cell('D2', '내부')}</row>`,
    `<row r="3" hidden="1">${cell('A3', '배')}${cell('C3', '900')}</row>`,
    `<row r="4" ht="0" customHeight="1">${cell('A4', '감')}</row>`,
  ].join('');

  it('leaves out hidden rows and columns, and those without height or width', async () => {
    const columns =
      '<cols><col min="2" max="2" hidden="1"/><col min="4" max="16384" width="0" customWidth="1"/></cols>';
    const sheet = xlsx(`${columns}<sheetData>${ROWS}</sheetData>`);
    expect(await text(sheet, 'xlsx')).toBe('# 요금\n\n품목: 사과, 요금: 300');
  });

  it('leaves out hidden sheets, and says so when nothing else is there', async () => {
    const sheet = `<sheetData>${ROWS}</sheetData>`;
    for (const state of ['hidden', 'veryHidden'])
      await expect(text(xlsx(sheet, { state }), 'xlsx')).rejects.toMatchObject(ALL_HIDDEN);
    const rows = '<sheetData><row r="1" hidden="true"><c r="A1"><v>1</v></c></row></sheetData>';
    await expect(text(xlsx(rows), 'xlsx')).rejects.toMatchObject(ALL_HIDDEN);
  });

  it('shows numbers, percents, amounts and times as a spreadsheet program does', async () => {
    const formats: readonly (readonly [code: string, stored: number, shown: string])[] = [
      ['0.0%', 0.125, '12.5%'],
      ['#,##0"원"', 12_000, '12,000원'],
      ['[$₩-412]#,##0', 1_234, '₩1,234'],
      ['_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-', 1_234_567, '1,234,567'],
      ['#,##0.00_);[Red](#,##0.00)', -5, '(5.00)'],
      ['General', 0.1 + 0.2, '0.3'],
      ['000-0000-0000', 1_012_345_678, '010-1234-5678'],
      ['yyyy"년" m"월" d"일"', 46_000, '2025-12-09'],
      ['yyyy-mm-dd h:mm', 46_000.5, '2025-12-09 12:00'],
      ['h:mm', 0.75, '18:00'],
      ['[h]:mm', 1.5, '36:00'],
      ['0"wrong', 7, '7'],
      [';;;', 500, ''],
    ];
    const escaped = (code: string) => code.replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    const styles = `<styleSheet><numFmts>${formats.map(([code], i) => `<numFmt numFmtId="${200 + i}" formatCode="${escaped(code)}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="3"/>${formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')}</cellXfs></styleSheet>`;
    const rows = [...formats.map(([, stored], i) => [i + 3, stored]), [1, 0.5], [2, 1_000]].map(
      ([style, stored], i) => `<row r="${i + 1}"><c r="A${i + 1}" s="${style}"><v>${stored}</v></c></row>`,
    );
    const shown = [...formats.map((format) => format[2]), '50%', '1,000'].filter((each) => each !== '');
    expect(await text(xlsx(`<sheetData>${rows.join('')}</sheetData>`, { styles }), 'xlsx')).toBe(
      ['# 요금', ...shown].join('\n\n'),
    );
  });

  it('is read with hidden columns beyond its last one, and as many of them as fit', async () => {
    const columns = `<cols>${'<col min="1" max="99999999" hidden="1"/>'.repeat(20_000)}</cols>`;
    await expect(text(xlsx(`${columns}<sheetData>${ROWS}</sheetData>`), 'xlsx')).rejects.toMatchObject(ALL_HIDDEN);
  });
});

describe('a .docx', () => {
  const run = (words: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${words}</w:t></w:r>`;
  const docx = (body: string) =>
    packed({
      'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
      'word/styles.xml':
        '<w:styles><w:style w:styleId="Secret"><w:name w:val="secret"/><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Made"><w:name w:val="made"/><w:basedOn w:val="Secret"/></w:style></w:styles>',
    });

  it('leaves out words that are hidden by themselves or by a style, and text where it was moved from', async () => {
    const body = [
      `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('요금 300원')}${run(', 원가 100원', '<w:vanish/>')}</w:p>`,
      `<w:p>${run('끝', '<w:vanish w:val="0"/>')}${run('원가', '<w:rStyle w:val="Made"/>')}</w:p>`,
      `<w:p><w:pPr><w:pStyle w:val="Secret"/></w:pPr>${run('원가표')}${run('보임', '<w:vanish w:val="false"/>')}</w:p>`,
      `<w:p><w:moveFrom>${run('옮긴 글')}</w:moveFrom>${run('남은 글')}</w:p>`,
    ];
    expect(await text(docx(body.join('')), 'docx')).toBe('요금 300원\n\n끝\n\n보임\n\n남은 글');
  });

  it('says so when all of its text is hidden', async () => {
    await expect(text(docx(`<w:p>${run('원가', '<w:vanish/>')}</w:p>`), 'docx')).rejects.toMatchObject(ALL_HIDDEN);
  });
});

it('a .pptx leaves out hidden slides, and counts them as pages', async () => {
  const slide = (words: string, show = '') =>
    `<p:sld ${show}><p:sp><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:sp></p:sld>`;
  const pptx = packed({
    'ppt/presentation.xml': '<p:presentation><p:sldId id="256" r:id="a"/><p:sldId id="257" r:id="b"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships><Relationship Id="a" Target="slides/slide1.xml"/><Relationship Id="b" Target="slides/slide2.xml"/></Relationships>',
    'ppt/slides/slide1.xml': slide('원가', 'show="0"'),
    'ppt/slides/slide2.xml': slide('요금'),
  });
  expect(await readText(pptx, 'pptx', { tenant: 'ws' })).toEqual({ text: '요금', pages: 2 });
});
