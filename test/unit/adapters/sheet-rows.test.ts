import { describe, expect, it } from 'vitest';
import { readSheetFile, sheetRows } from '../../../functions/adapters/codecs/sheet-rows.ts';
import { packed, workbook } from '../../helpers/workbook.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

describe('sheetRows', () => {
  const csv = '제품코드,제품명\n640000010,"가,나"\n';
  const rows = [
    ['제품코드', '제품명'],
    ['640000010', '가,나'],
  ];

  it('reads UTF-8, with and without a byte order mark, and tabs', async () => {
    expect(await sheetRows(Buffer.from(csv))).toEqual(rows);
    expect(await sheetRows(Buffer.from(`\ufeff${csv}`))).toEqual(rows);
    expect(await sheetRows(Buffer.from('a\tb\n1\t2\n'))).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('reads CP949, syllables outside KS X 1001 included', async () => {
    const bytes = Buffer.from([0xb0, 0xa1, 0x2c, 0x8c, 0x63, 0xc6, 0x52, 0x31, 0x0a]);
    expect(await sheetRows(bytes)).toEqual([['가', '똠힣1']]);
  });

  it('reads plain EUC-KR from its first syllable to its last', async () => {
    expect(await sheetRows(Buffer.from([...Buffer.from('abc,'), 0xb0, 0xa1, 0xc8, 0xfe]))).toEqual([['abc', '가힝']]);
  });

  it('reads the first sheet of an .xlsx', async () => {
    expect(await sheetRows(packed(workbook({ A1: '제품코드', B1: '제품명', A2: '640000010', B2: '가,나' })))).toEqual(
      rows,
    );
  });

  it('takes the value that a file keeps with a formula, and follows no link to other files', async () => {
    const sheet = `<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1"><f>[1]Sheet1!$A$1</f><v>640000010</v></c></row></sheetData></worksheet>`;
    const files = {
      ...workbook({ A1: 'x' }),
      'xl/worksheets/sheet1.xml': sheet,
      'xl/externalLinks/_rels/externalLink1.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="x" Target="http://127.0.0.1:9/list.xlsx" TargetMode="External"/></Relationships>',
    };
    expect(await sheetRows(packed(files))).toEqual([['640000010']]);
  });

  it('lists the names of the sheets, where published lists state their day', async () => {
    const files = workbook({ A1: '제품코드' });
    const named = {
      ...files,
      'xl/workbook.xml': files['xl/workbook.xml']!.replace('name="1"', 'name="2025년9월1일_(21,962)"'),
    };
    expect((await readSheetFile(packed(named))).sheetNames).toBe('2025년9월1일_(21,962)');
  });

  it.each([
    ['nothing', Buffer.alloc(0), /empty/],
    ['bytes that no encoding has', Buffer.from([0xb0, 0xa1, 0x0a, 0xff, 0x2c, 0x31]), /Line 2 holds bytes/],
    [
      'a formula without its value',
      packed({
        ...workbook({ A1: '제품코드' }),
        'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1"><f>1+1</f></c></row></sheetData></worksheet>`,
      }),
      /Cell A1 holds a formula without its value/,
    ],
    [
      'a word in the last cell of an .xlsx',
      packed(workbook({ A1: '제품코드', XFD1048576: 'x' })),
      /down to row 1048576 .* column 16384/,
    ],
    ['an .xlsx that unpacks to too much', packed(workbook({ A1: 'x'.repeat(270_000_000) })), /more than 256 MB/],
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /save it as \.xlsx/],
    ['a broken .xlsx', Buffer.from('PK\u0003\u0004rubbish'), /cannot be read/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), /neither/],
  ])('reports %s', async (_case, bytes, message) => {
    await expect(sheetRows(bytes)).rejects.toThrow(message);
  });
});

describe('an .xlsx that hides how far its sheet goes', () => {
  const sheetOf = (cell: string) =>
    packed({
      ...workbook({ A1: '제품코드' }),
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData><row r="1">${cell}</row></sheetData></worksheet>`,
    });

  it.each([
    ['small letters', `<c r="xfd1048576" t="str"><v>x</v></c>`],
    ['letters without end', `<c r="ZZZZZZZ1" t="str"><v>x</v></c>`],
    ['row zero', `<c r="A0" t="str"><v>x</v></c>`],
  ])('is refused: %s', async (_case, cell) => {
    await expect(sheetRows(sheetOf(cell))).rejects.toThrow(/cannot be read/);
  });

  it.each([
    ['single quotes', `<c r='XFD1048576' t="str"><v>x</v></c>`],
    ['an entity', `<c r="&#88;FD1048576" t="str"><v>x</v></c>`],
    ['a prefix', `<x:c r="XFD1048576" t="str"><x:v>x</x:v></x:c>`],
    ['a line end', `<c\nr="XFD1048576" t="str"><v>x</v></c>`],
  ])('is measured as it is read: %s', async (_case, cell) => {
    await expect(sheetRows(sheetOf(cell))).rejects.toThrow(/down to row 1048576 .* column 16384/);
  });

  it('gives dates by the style of their cells, and shared texts without their readings', async () => {
    const files = {
      ...workbook({ A1: 'x' }),
      'xl/sharedStrings.xml': `<sst xmlns="${MAIN}"><si><r><t>가</t></r><r><t>나</t></r><rPh><t>ga</t></rPh></si></sst>`,
      'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="170" formatCode="#,##0&quot;day&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45901</v></c><c r="D1" s="2"><v>12.5</v></c></row></sheetData></worksheet>`,
    };
    expect(await sheetRows(packed(files))).toEqual([['가나', '2025-09-01', '', '12.5']]);
  });
});
