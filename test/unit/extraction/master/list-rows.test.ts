import { describe, expect, it } from 'vitest';
import { dateInTitle, parseDate } from '../../../../functions/extraction/domain/master/list-date.ts';
import { readListRows } from '../../../../functions/extraction/domain/master/list-rows.ts';

const HEADER = '연번 투여 분류 주성분코드 제품코드 목록정비전코드 제품명 업체명 규격 단위 상한금액 전일 비고'.split(
  ' ',
);
const ROWS = [
  ['약제급여목록 및 급여상한금액표 (2025.9.1.)'],
  HEADER,
  ['1', '내복', '112', '100101ATB', 'chloral hydrate 9.5g', '', '', '', '', '', '', '', ''],
  ['2', '내복', '112', '100101ATB', '640000010', '640000000', '가람정5mg', '가람', '1', '정', '1,234', '전문', ''],
  ['3', '내복', '112', '100102ATB', '73400340', '', '나루정', '나루', '', '정', '56', '전문', ''],
  ['', '', '', '', '소계', '', '', '', '', '', '2', '', ''],
  ['4', '주사', '112', '100103ATB', '651900011', '', '다온주', '다온', '95(1)', 'mL/병', '산정불가', '전문', ''],
];
const history = (...rows: readonly (readonly string[])[]) =>
  readListRows([['code', 'name', 'maker', 'unit', 'price', 'from'], ...rows]);

describe('readListRows', () => {
  it('reads the monthly list: headings are skipped, zeros restored, drugs without a price kept', () => {
    const { form, titleDate, rows, skipped } = readListRows(ROWS);
    expect([form, titleDate, skipped.headings]).toEqual(['monthly', '2025-09-01', 2]);
    expect(rows.map(({ code, oldCodes, name, unit, price }) => [code, oldCodes, name, unit, price])).toEqual([
      ['640000010', ['640000000'], '가람정5mg', '1 정', { krw: 1234, listed: true }],
      ['073400340', [], '나루정', '정', { krw: 56, listed: true }],
      ['651900011', [], '다온주', '95(1) mL/병', { krw: null, listed: true }],
    ]);
  });

  it('finds columns in any place and spacing', () => {
    const { rows } = readListRows([
      ['상한금액 (원)', '제 품 명', '제품 코드'],
      ['70', '가', '640000010'],
    ]);
    expect(rows).toMatchObject([{ code: '640000010', name: '가', maker: '', price: { krw: 70 } }]);
  });

  it('reads prices with their dates, ends and transferred codes', () => {
    const { form, rows } = readListRows([
      [
        '제품코드',
        '적용시작일자',
        '급여기준',
        '상한가',
        '제품명',
        '규격',
        '단위',
        '업체명',
        '변경이전약품코드',
        '변경이후약품코드',
      ],
      ['640000010', '20250101', '급여', '112', '가람정', '1', '정', '가람', 'A01508421', ''],
      ['640000010', '20260101', '삭제', '0', '가람정', '1', '정', '가람', '', '641000010'],
      ['640000020', '20250101', '산정불가', '0', '나루정', '1', '정', '나루', '', ''],
    ]);
    expect(form).toBe('history');
    expect(rows.map(({ code, from, price, oldCodes, newCode }) => [code, from, price, oldCodes, newCode])).toEqual([
      ['640000010', '2025-01-01', { krw: 112, listed: true }, ['A01508421'], null],
      ['640000010', '2026-01-01', { krw: null, listed: false }, [], '641000010'],
      ['640000020', '2025-01-01', { krw: null, listed: true }, [], null],
    ]);
  });

  it("reads names and codes of the portal's master, and names the rows whose code cannot be one", () => {
    const { form, rows, skipped } = readListRows([
      ['한글상품명', '업체명', '대표코드', '표준코드', '제품코드(개정후)', '취소일자'],
      ['가람정', '가람', '8806400000104', '8806400000111', '640000010', ''],
      ['가람정', '가람', '8806400000104', '8806400000128', '640000010', ''],
      ['비급여정', '나루', '8806400000203', '8806400000210', '', ''],
      ['이상한정', '나루', '8806400000203', '8806400000210', '6400000200', ''],
    ]);
    expect([form, rows.map(({ code, name, price }) => [code, name, price])]).toEqual([
      'names',
      [['640000010', '가람정', null]],
    ]);
    expect(skipped).toMatchObject({
      repeated: 1,
      withoutCode: 1,
      wrong: [expect.stringMatching(/Row 5: "6400000200"/)],
    });
  });

  it('takes dates in five forms', () => {
    const forms = ['2026-11-01', '20261101', '2026.11.1.', '2026/11/01', '2026년 11월 1일', '46327'];
    expect(forms.map(parseDate)).toEqual(forms.map(() => '2026-11-01'));
    expect(['2026-02-30', '01.11.2026', '', 'soon'].map(parseDate)).toEqual([null, null, null, null]);
    expect(
      ['2025년9월1일_(21,962)', '약제급여목록_(2025.8.1.)(21,953)_7.31. 1부.xlsx', 'list'].map(dateInTitle),
    ).toEqual(['2025-09-01', '2025-08-01', null]);
  });

  it('takes a price of 0 for none, and an empty one in a history for the end', () => {
    const { rows } = history(
      ['640000010', '가', 'm', '1정', '0', '2026-01-01'],
      ['640000010', '가', 'm', '1정', '', '2026-06-01'],
    );
    expect(rows.map(({ price }) => price)).toEqual([
      { krw: null, listed: true },
      { krw: null, listed: false },
    ]);
  });

  it('keeps old codes of a row that repeats a drug', () => {
    const { rows, skipped } = readListRows([...ROWS, ROWS[3]!.with(5, '640000001')]);
    expect(skipped.repeated).toBe(1);
    expect(rows.filter(({ code }) => code === '640000010').flatMap(({ oldCodes }) => oldCodes)).toEqual([
      '640000000',
      '640000001',
    ]);
  });

  it.each([
    ['10 digits', ['6400000100', '가', 'm', 'u', '1', '2026-01-01'], /Row 2: "6400000100" is not a product code/],
    ['no code', ['', '가', 'm', 'u', '1', '2026-01-01'], /Row 2: "" is not a product code/],
    ['no name', ['640000010', '', 'm', 'u', '1', '2026-01-01'], /Row 2: the name of 640000010 is missing/],
    ['no such date', ['640000010', '가', 'm', 'u', '1', '2026-02-30'], /Row 2: "2026-02-30" is not a date/],
    ['a broken price', ['640000010', '가', 'm', 'u', '1a', '2026-01-01'], /Row 2: the price "1a"/],
    ['a broken formula', ['640000010', '가', 'm', 'u', '#REF!', '2026-01-01'], /Row 2: the price "#REF!"/],
  ])('names a row with %s', (_case, row, message) => {
    expect(() => history(row)).toThrow(message);
  });

  it('names both rows that give one drug two prices on one day', () => {
    const row = ['640000010', '가', 'm', 'u', '1', '2026-01-01'];
    expect(() => history(row, row.with(4, '2'))).toThrow(
      /Rows 2 and 3: 640000010 has two prices from 2026-01-01, 1 and 2/,
    );
    const drug = ROWS[3]!;
    expect(() => readListRows([HEADER, drug, drug.with(10, '99')])).toThrow(/Rows 2 and 3: .* 1234 and 99/);
  });

  it('refuses a list whose columns have moved under their header', () => {
    const drugs = Array.from({ length: 100 }, (_, i) => ROWS[3]!.with(4, String(640000000 + i)));
    expect(readListRows([HEADER, ...drugs]).rows).toHaveLength(100);
    const moved = drugs.map((row) => row.toSpliced(8, 0, 'new column'));
    expect(() => readListRows([HEADER, ...moved])).toThrow(/100 of 100 drugs have no number .*Have the columns moved/);
    expect(() => readListRows([HEADER, ...drugs.map((row) => ['', ...row])])).toThrow(
      /"100101ATB" is not a product code[\s\S]*and 90 more/,
    );
  });

  it('refuses a file that is not a list', () => {
    expect(() => readListRows([['a', 'b']])).toThrow(/not a drug list.*제품코드/);
    expect(() => readListRows([HEADER])).toThrow(/holds no drug/);
  });
});
