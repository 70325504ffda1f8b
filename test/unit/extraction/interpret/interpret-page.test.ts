import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { EXPECTED, HEADER, interpret, ROWS, template, values } from '../../../helpers/edi-sheet.ts';
import { type CellSpec, pageReading, readTable } from '../../../helpers/page-reading.ts';

describe('cells', () => {
  it('of doses are read by the decimals of their column', () => {
    const doses = ['1.0000', '0.5000', '1.0000 7', '5000'];
    const { table } = interpret([
      ['보험코드', '약품명', '1회투약량', '횟수', '투약일수'],
      ...doses.map((dose, row) => [
        `64050001${row}`,
        `가온정${row}mg`,
        { text: dose, numeral: dose.replace(' ', ''), confidence: dose.includes('.') ? 0.99 : 0.9 },
        '3',
        '7',
      ]),
    ]);
    expect(table?.lines.map(({ quantity }) => quantity.value)).toEqual([1, 0.5, 1, 0.5]);
    expect(table?.lines.map(({ quantity }) => quantity.confidence > 0.7)).toEqual([true, true, false, false]);
  });

  it.each(['640500020_나온정5mg', '그640500020 나온정5mg'])('of a name give the code before it: %s', (text) => {
    const { table } = interpret([
      ['보험코드', '약품명', '1회투약량', '횟수', '투약일수'],
      ['640500010', '가온정5mg', '1', '3', '7'],
      ['', text, '1', '3', '7'],
    ]);
    expect(table?.lines.map(({ drugCode, drugName }) => [drugCode.value, drugName.value])).toEqual([
      ['640500010', '가온정5mg'],
      ['640500020', '나온정5mg'],
    ]);
  });

  it('of names without a column for codes give the codes before them', () => {
    const names = ['640500010_가온정5mg', '640500020_나온정5mg'].map((text) => ({ text, columnSpan: 2 }));
    const { table } = interpret([
      ['처방 의 약', '품 의 명칭', '1회투약량', '1일투여횟수', '총투약일수'],
      ...names.map((name) => [name, null, '1', '3', '7']),
    ]);
    expect(table?.lines.map(({ drugCode, drugName }) => [drugCode.value, drugName.value])).toEqual([
      ['640500010', '가온정5mg'],
      ['640500020', '나온정5mg'],
    ]);
  });

  it('keep their code exactly as visible', () => {
    const rows = [
      HEADER,
      ['1', '8806405000101', '가온정', '1', '1', '1', '1', '112', '112'],
      ['2', '53100230', '나래정', '1', '1', '1', '1', '112', '112'],
      ['3', 'A04500271', '다솜정', '1', '1', '1', '1', '112', '112'],
      ['4', '053100230', '라온정', '1', '1', '1', '1', '112', '112'],
    ];
    const codes = interpret(rows).table!.lines.map(({ drugCode }) => drugCode.value);
    expect(codes).toEqual(['8806405000101', '53100230', 'A04500271', '053100230']);
  });

  it('that cannot be read are null, never a guess', () => {
    const rows = [
      HEADER,
      ROWS[0]!,
      ROWS[1]!.with(5, { text: '', blank: false, confidence: 0 } as never),
      ...ROWS.slice(2),
    ];
    const line = interpret(rows).table!.lines[1]!;
    expect(line.days).toEqual({ value: null, text: '', confidence: 0 });
  });

  it('lose confidence if the two readings disagree', () => {
    const rows = [HEADER, ROWS[0]!.with(5, { text: '1', numeral: '7' } as never), ...ROWS.slice(1)];
    const line = interpret(rows).table!.lines[0]!;
    expect(line.days.value).toBe(7);
    expect(line.days.confidence).toBeLessThan(0.6);
  });
});

describe('rows', () => {
  it('of totals end the table and give its printed totals', () => {
    const footer = ['', { text: '합 계 (4품목)', columnSpan: 6 }, null, null, null, null, null, '', '34,107'];
    const { table } = interpret([HEADER, ...ROWS, footer]);
    expect(table!.lines).toHaveLength(4);
    expect(table!.printedTotals).toEqual({ totalAmount: 34107, lineCount: 4 });
  });

  it('of page totals add up when no grand total is printed', () => {
    const subtotal = (amount: string) => ['', '소계', '', '', '', '', '', '', amount];
    const { table } = interpret([HEADER, ...ROWS.slice(0, 2), subtotal('8,502'), ...ROWS.slice(2), subtotal('25,605')]);
    expect(table!.lines).toHaveLength(4);
    expect(table!.printedTotals.totalAmount).toBe(34107);
  });

  it('of a total with an unreadable label are known by their sum', () => {
    const footer = [
      { text: '', blank: false, columnSpan: 8, confidence: 0 },
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      '34,107',
    ];
    const { table } = interpret([HEADER, ...ROWS, footer]);
    expect(table!.printedTotals.totalAmount).toBe(34107);
    expect(table!.unreadRows).toEqual([]);
  });

  it('that repeat the header, are blank or title a section give no line', () => {
    const blank = HEADER.map(() => '');
    const section = [{ text: '[외용약]', columnSpan: 9 }, ...HEADER.slice(1).map(() => null)];
    const { table } = interpret([HEADER, ...ROWS.slice(0, 2), blank, section, HEADER, ...ROWS.slice(2)]);
    expect(values(table)).toEqual(EXPECTED);
    expect(table!.unreadRows).toEqual([]);
  });

  it('that title a part of a form give no line, though a mark next to them looks like a number', () => {
    const { table } = interpret([
      HEADER,
      ...ROWS,
      ['', '주사제 처방내역(원내조제□,원외처방□)', { text: '그)', numeral: '7' }, '', '', '', '', '', ''],
    ]);
    expect(values(table)).toEqual(EXPECTED);
    expect(table?.unreadRows).toEqual([]);
  });

  it('in which dirt and pieces of a rule are all that was read give no line', () => {
    const [, name, , price, ...rest] = HEADER.map(() => '');
    const unread = { text: '', blank: false, confidence: 0 };
    const specks = [
      ['', '', '×76', price!, ...rest],
      ['', '', unread, unread, ...rest],
      [unread, name!, '', price!, ...rest],
    ];
    for (const speck of specks) expect(interpret([HEADER, ...ROWS, speck]).table!.unreadRows).toEqual([]);
  });

  it('that repeat codes below a list, or in which the numerals made digits of strokes, give no line', () => {
    const [, name, , ...rest] = HEADER.map(() => '');
    const remarks = [
      [{ text: '[DUR_점검결과]645501290JT014F복용기간중복', columnSpan: 1 }, name!, '', ...rest],
      [{ text: "'692302230-JH610058302130 JT014" }, name!, '', ...rest],
    ];
    const strokes = [{ text: '르로르르트브오칩', numeral: '2222222179', confidence: 0 }, name!, '', ...rest];
    for (const rows of [remarks, [strokes]])
      expect(values(interpret([HEADER, ...ROWS, ...rows]).table)).toEqual(EXPECTED);
  });

  it('with ink but no line are reported', () => {
    const smudge = ['', '', { text: '', blank: false, confidence: 0 }, '', '', '', '', '', '1'];
    const { table } = interpret([HEADER, ...ROWS, smudge]);
    expect(table!.unreadRows).toEqual([5]);
  });
});

describe('documents', () => {
  it('with two drug tables give their lines in order', () => {
    const reading = pageReading([readTable([HEADER, ...ROWS.slice(0, 2)]), readTable([HEADER, ...ROWS.slice(2)])]);
    const { table } = interpretPage(reading, template);
    expect(values(table)).toEqual(EXPECTED);
    expect(new Set(table!.lines.map(({ row }) => row)).size).toBe(4);
  });

  it('that are receipts are not drug tables, though they have names, quantities and amounts', () => {
    const rows = [
      ['품명', '수량', '단가', '금액'],
      ['사과', '2', '1,500', '3,000'],
      ['우유', '1', '2,800', '2,800'],
      ['합계', '', '', '5,800'],
    ];
    expect(interpret(rows, ['영 수 증', '카드번호 1234-****'])).toEqual({
      documentType: 'receipt',
      documentKind: 'receipt',
      table: null,
      lists: [],
      codes: [],
    });
  });

  it.each([
    ['business_registration', ['사업자등록증', '등록번호 : 123-45-67890', '대표자 홍길동', '개업연월일 2020년']],
    ['business_registration', ['사업자등룩증', '(일반과세자)']],
    ['receipt', ['신용카드 매출전표', '승인번호 12345678', '합계 12,000원']],
    ['other', ['안녕하십니까', '귀하의 건강을 기원합니다']],
    ['other', []],
  ])('without a table: %s', (documentType, texts) => {
    expect(interpretPage(pageReading([], texts), template)).toEqual({
      documentType,
      documentKind: documentType,
      table: null,
      lists: [],
      codes: [],
    });
  });
});

describe('a dose under a stroke', () => {
  it('is doubted, but in the middle of a column that centres its numbers, where a missing digit would shift it', () => {
    const doubtOf = (crossed: number) => {
      const box = (x: number, width: number) => ({ x: x - width / 2, y: 0, width, height: 12 });
      const days = (text: string, width: number, x: number, isCrossed = false): CellSpec => {
        const read = { text, confidence: 1 };
        return { text, confidence: 1, crossed: isCrossed, lines: [{ ...read, numeral: read, box: box(x, width) }] };
      };
      const numbers = [days('30', 16, 20), days('3', 8, 20), days('15', 16, 20), days('7', 8, crossed, true)];
      const rows = ROWS.map(([, code, name, quantity, times], i) => [code!, name!, quantity!, times!, numbers[i]!]);
      const { table } = interpret([['보험코드', '약품명', '1회투약량', '횟수', '투약일수'], ...rows]);
      return table!.lines[3]!.days.doubt;
    };
    expect(doubtOf(20)).toBeUndefined();
    expect(doubtOf(22.5)).toBe('crossed');
  });
});

describe('a reading of the page', () => {
  it('has no diagnosis of an order slip as a line, though its code was read as digits', () => {
    const { table } = interpret([HEADER, ['', '479198', '상세불명의 위염', '', '', '', '', '', ''], ...ROWS]);
    expect(values(table)).toEqual(EXPECTED);
    expect(table?.unreadRows).toEqual([]);
  });

  it('has no line for what a form says of its own fields below the list', () => {
    const prescribed = ROWS.map(([, code, name, quantity, times, days]) => [code!, name!, quantity!, times!, days!]);
    const { table } = interpret([
      ['약품코드', '처방의약품의 명칭', '1회투약량', '횟수', '총투약일수'],
      ...prescribed,
      ['', '사용기간 교부일로부터', '', '', ''],
      ['111111614', '1. 본인부담률 구분코드', '', '', ''],
      ['', '의약품조제내', '', '', { text: '역', numeral: '3', confidence: 0.1 }],
    ]);
    expect(table?.lines.map(({ drugCode }) => drugCode.value)).toEqual(ROWS.map(([, code]) => code));
  });
});

describe('a list with codes below their names', () => {
  const X = [0, 300, 360, 420, 480, 600];
  const place = (row: number, column: number) => ({
    x: X[column]!,
    y: row * 60,
    width: X[column + 1]! - X[column]!,
    height: 60,
  });
  const plain = (row: number, column: number, text: string) => ({ text, box: place(row, column) });
  const stacked = (row: number, name: string, code: string, confidence: number) => {
    const line = (text: string, y: number, sure: number) => ({
      text,
      confidence: sure,
      numeral: null,
      box: { x: 5, y: row * 60 + y, width: 10 * text.length, height: 20 },
    });
    const lines = [line(name, 5, 0.99), line(code, 32, confidence)];
    return { text: `${name}${code}`, numeral: null, box: place(row, 0), lines };
  };
  const row = (at: number, name: string, code: string, confidence: number) => [
    stacked(at, name, code, confidence),
    ...['1', '3', '7'].map((number, column) => plain(at, column + 1, number)),
  ];

  it('has all of its lines though a code is hardly read: the row that one reading leaves out is in another', () => {
    const header = ['처방의약품의 명칭 및 코드', '1회 투약량', '1일 투여횟수', '총 투약일수', '용법'];
    const directions = { ...plain(1, 4, '필요시'), rowSpan: 5 };
    const table = readTable([
      header.map((text, column) => plain(0, column, text)),
      [...row(1, '가나정5mg', '[6501000101', 0.99), directions],
      row(2, '다라캡슐10mg', '[650100020]', 0.99),
      row(3, '마바정20mg', '[650100030]', 0.99),
      row(4, '사아시럽', '「6501000401', 0.2),
      row(5, '자차연질캡슐', '[650100050]', 0.99),
    ]);
    const { table: found } = interpretPage(pageReading([table], ['처방전']), template);
    expect(found?.lines.map(({ drugName }) => drugName.value)).toEqual([
      '가나정5mg',
      '다라캡슐10mg',
      '마바정20mg',
      '사아시럽',
      '자차연질캡슐',
    ]);
  });
});
