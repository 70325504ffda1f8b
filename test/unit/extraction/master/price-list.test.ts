import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sheetRows } from '../../../../functions/adapters/codecs/sheet-rows.ts';
import { isHistory, masterOfHistory } from '../../../../functions/extraction/domain/master/history-csv.ts';
import { readPriceList } from '../../../../functions/extraction/domain/master/price-list.ts';
import { packed, workbook } from '../../../helpers/workbook.ts';

const HEADER = [
  '연번',
  '투여',
  '분류',
  '주성분코드',
  '제품코드',
  '제품명',
  '업체명',
  '규격',
  '단위',
  '상한금액',
  '전일',
  '비고',
];
const ROWS = [
  ['약제급여목록 및 급여상한금액표'],
  HEADER,
  ['', '', '', '', '[내복제] 112 최면진정제', '', '', '', '', '', '', ''],
  ['1', '내복', '112', '100101ATB', '640000010', '가람정5mg', '가람', '5', 'mg/1정', '1,234', '1,300', ''],
  ['2', '내복', '112', '100102ATB', '73400340', '나루정', '나루', '', '정', '56', '56', ''],
  ['', '', '', '', '소계', '', '', '', '', '2', '', ''],
  ['3', '주사', '112', '100103ATB', '651900011', '다온주', '다온', '1', '병', '미정', '', ''],
];

describe('readPriceList', () => {
  it('keeps the drugs, skips headings, restores zeros, reads separators', () => {
    const { drugs } = readPriceList(ROWS, '2026-11-01');
    expect([...drugs.values()]).toEqual([
      { code: '640000010', name: '가람정5mg', maker: '가람', unit: '5 mg/1정', oldCodes: [], krw: 1234 },
      { code: '073400340', name: '나루정', maker: '나루', unit: '정', oldCodes: [], krw: 56 },
    ]);
  });

  it('finds columns wherever they stand and however they are spaced', () => {
    const { drugs } = readPriceList(
      [
        ['상한금액 (원)', '제 품 명', '제품 코드'],
        ['70', '가', '640000010'],
      ],
      '2026-11-01',
    );
    expect(drugs.get('640000010')).toMatchObject({ name: '가', krw: 70, maker: '' });
  });

  it('refuses what is no list', () => {
    expect(() => readPriceList([['a', 'b']], '2026-11-01')).toThrow(/not a drug price list.*제품코드/);
    expect(() => readPriceList([HEADER], '2026-11-01')).toThrow(/holds no drug/);
  });
});

describe('masterOfHistory', () => {
  const header = ['code', 'name', 'maker', 'unit', 'price', 'from'];

  it('gathers the prices of a code in order', () => {
    const { drugs } = masterOfHistory([
      header,
      ['640000010', '가', 'm', '1정', '90', '2026-06-01'],
      ['640000010', '가', 'm', '1정', '100', '2026-01-01'],
      ['640000010', '가', 'm', '1정', '', '2026-11-01'],
    ]);
    expect(drugs).toEqual([
      {
        code: '640000010',
        name: '가',
        maker: 'm',
        unit: '1정',
        oldCodes: [],
        prices: [
          { from: '2026-01-01', krw: 100, listed: true },
          { from: '2026-06-01', krw: 90, listed: true },
          { from: '2026-11-01', krw: null, listed: false },
        ],
      },
    ]);
  });

  it.each([
    [['', '가', 'm', 'u', '1', '2026-01-01'], /Row 2: the code is missing/],
    [['1', '가', 'm', 'u', '1', '01.01.2026'], /Row 2: "from"/],
    [['1', '가', 'm', 'u', 'many', '2026-01-01'], /Row 2: the price "many"/],
  ])('names the row that is wrong: %j', (row, message) => {
    expect(() => masterOfHistory([header, row])).toThrow(message);
  });

  it('is distinguished from a published list by its header', () => {
    expect(isHistory([header])).toBe(true);
    expect(isHistory(ROWS)).toBe(false);
  });
});

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

  it.each([
    ['nothing', Buffer.alloc(0), /empty/],
    [
      'a word in the last cell of an .xlsx',
      packed(workbook({ A1: '제품코드', XFD1048576: 'x' })),
      /down to row 1048576 .* column 16384/,
    ],
    ['an .xlsx that unpacks to too much', packed(workbook({ A1: 'x'.repeat(270_000_000) })), /more than 256 MB/],
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /save it as \.xlsx/],
    ['a broken .xlsx', Buffer.from('PK\u0003\u0004rubbish'), /cannot be read/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), /neither/],
  ])('says what is wrong with %s', async (_case, bytes, message) => {
    await expect(sheetRows(bytes)).rejects.toThrow(message);
  });
});

describe('the shipped sample', () => {
  it('is a list with its own history', async () => {
    const rows = await sheetRows(readFileSync(new URL('../../../../layers/master/sample.csv', import.meta.url)));
    expect(isHistory(rows)).toBe(true);
  });
});
