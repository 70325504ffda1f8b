import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { NO_KNOWN_DRUGS } from '../../../../../functions/extraction/domain/master/known-drugs.ts';
import { EXPECTED, HEADER, interpret, ROWS, template, values } from '../../../../helpers/edi-sheet.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';

describe('columns', () => {
  it('are known by their header', () => {
    const { documentType, table } = interpret([HEADER, ...ROWS]);
    expect(documentType).toBe('drug_table');
    expect(values(table)).toEqual(EXPECTED);
    expect(table?.unreadRows).toEqual([]);
  });

  it('are known by a header with one misread letter in every word', () => {
    const misread = ['연빈', '보험고드', '약품멍', '1회투약랑', '힛수', '투악일수', '총사융량', '딘가', '금엑'];
    expect(values(interpret([misread, ...ROWS]).table)).toEqual(EXPECTED);
  });

  it('are known by statistics and arithmetic when the header cannot be read', () => {
    const unread = HEADER.map(() => ({ text: '', blank: false, confidence: 0 }));
    expect(values(interpret([unread, ...ROWS]).table)).toEqual(EXPECTED);
  });

  it.each([
    ['숨링', 'quantity'],
    ['풍시웅링', 'prescribedQty'],
  ] as const)(
    'under %s, which announces nothing, are the field it resembles that the amounts allow',
    (unclear, field) => {
      const header = ['보험코드', '약품명', unclear, '단가', '금액'];
      const monthly = [
        ['640500010', '가온정5밀리그램(암로디핀)', '2,100', '112', '235,200'],
        ['053100230', '나래캡슐200mg', '5', '1,230', '6,150'],
        ['651700430', '다솜시럽', '135', '11', '1,485'],
        ['642900120', '라온정', '60', '402', '24,120'],
      ];
      const { table } = interpret([header, ...monthly]);
      expect(table?.lines.map((line) => line[field].value)).toEqual([2100, 5, 135, 60]);
    },
  );

  it('are known without any header row', () => {
    expect(values(interpret(ROWS).table)).toEqual(EXPECTED);
  });

  it('read three places behind commas as fractions when the amounts say so', () => {
    const rows = ROWS.map((row) => [row[1]!, row[2]!, `${row[6]},000`, row[7]!, row[8]!]);
    const lines = values(interpret([['보험코드', '약품명', '총사용량', '단가', '금액'], ...rows]).table)!;
    expect(lines.map((line) => line[5])).toEqual([21, 5, 135, 60]);
  });

  it('are known in an unusual order', () => {
    const order = [8, 2, 7, 6, 1, 5, 4, 3];
    const shuffled = [HEADER, ...ROWS].map((row) => order.map((i) => row[i]!));
    expect(values(interpret(shuffled).table)).toEqual(EXPECTED);
  });

  it('are known under two header rows with merged cells', () => {
    const rows = [
      ['연번', '보험코드', '약품명', { text: '투약', columnSpan: 3 }, null, null, '총사용량', '단가', '금액'],
      ['', '', '', '1회량', '횟수', '일수', '', '', ''],
      ...ROWS,
    ];
    expect(values(interpret(rows).table)).toEqual(EXPECTED);
  });

  it('are known by header words of the template', () => {
    const header = ['가나', '다라', '마바사', '아자', '카타'];
    const custom = {
      id: 'custom',
      headerWords: {
        drugCode: ['가나'],
        drugName: ['다라'],
        quantity: ['마바사'],
        unitPrice: ['아자'],
        totalAmount: ['카타'],
      },
      columnOrder: null,
    };
    const rows = [header, ['640500010', '가온정5mg', '3', '70', '999'], ['640500020', '나온정5mg', '4', '80', '888']];
    const { table } = interpretPage(pageReading([readTable(rows)]), custom);
    expect(table?.lines[0]).toMatchObject({
      quantity: { value: 3 },
      unitPrice: { value: 70 },
      totalAmount: { value: 999 },
    });
  });

  it('of code and name are split when they were read as one', () => {
    const merge = ([, code, name, ...rest]: readonly string[]) => [`${code} ${name}`, ...rest];
    const rows = [['보험코드약품명', ...HEADER.slice(3)], ...ROWS.map(merge)];
    expect(values(interpret(rows).table)).toEqual(EXPECTED);
  });

  it('of a monthly sheet: quantity is what the header says, though it is the total', () => {
    const rows = [
      ['보험코드', '품명', '수량', '단가', '금액'],
      ['640500010', '가온정', '2,100', '112', '235,200'],
      ['640500020', '나온정', '90', '50', '4,500'],
    ];
    const { table } = interpret(rows);
    expect([...table!.columns].sort()).toEqual(['drugCode', 'drugName', 'quantity', 'totalAmount', 'unitPrice']);
    expect(table!.lines.map(({ quantity }) => quantity.value)).toEqual([2100, 90]);
  });

  it('without a header: the one with the list prices is the price, in any place', () => {
    const rows = ROWS.map(([, code, name, , , , total, price, amount]) => [code!, name!, price!, total!, amount!]);
    const prices = new Map(ROWS.map(([, code, , , , , , price]) => [code!, [Number(price!.replace(',', ''))]]));
    const { table } = interpretPage(pageReading([readTable(rows)]), template, {
      ...NO_KNOWN_DRUGS,
      pricesOf: (code) => prices.get(code) ?? [],
    });
    expect(table!.lines.map(({ unitPrice }) => unitPrice.value)).toEqual([112, 1230, 11, 402]);
  });

  it('that repeat the days are not a total: with one a day on every row that would be proof of anything', () => {
    const days = [5, 7, 3, 5];
    const totals = (doses: readonly (readonly [number, number])[]) => {
      const rows = doses.map(([dose, times], i) => [
        ...[ROWS[i]![1]!, ROWS[i]![2]!],
        ...[dose * times * days[i]!, dose, times, days[i]!].map(String),
      ]);
      const { table } = interpret([['보험코드', '약품명', '가나다라', '1회투약량', '횟수', '총일수'], ...rows]);
      return table?.lines.map(({ prescribedQty }) => prescribedQty.value);
    };
    const oneADay: readonly (readonly [number, number])[] = [
      [1, 1],
      [0.5, 2],
      [1, 1],
      [1, 1],
    ];
    expect(totals(oneADay)).toEqual([null, null, null, null]);
    expect(totals([...oneADay.slice(0, 2), [2, 1], [1, 3]])).toEqual([5, 7, 6, 15]);
  });

  it('without a header: text right behind the codes is their name, not the wider text of how to take it', () => {
    const rows = [
      ['640500010', '가온정', '1', '3', '매식후 30분에'],
      ['640500020', '나온정', '2', '3', '자기 전에 복용'],
      ['640500030', '다온정', '1', '1', '아침 식전 공복'],
    ];
    const { table } = interpret(rows);
    expect(table?.lines.map(({ drugName }) => drugName.value)).toEqual(['가온정', '나온정', '다온정']);
  });

  it('are known under a header whose upper row holds the starts of words', () => {
    const { table } = interpret([
      ['처방 의약품의 명칭', '1일', '1회', '1일', '총'],
      ['', '투약량', '투약량', '투여횟수', '투약일수'],
      ['640500010 가온정', '1캡슐', '0.5캡슐', '2', '30'],
      ['640500020 나온정', '3정', '1정', '2', '30'],
    ]);
    expect(table?.lines.map(({ quantity }) => quantity.value)).toEqual([0.5, 1]);
  });

  it('of two doses that are named alike: the one of a day is the other one times the times a day', () => {
    const rows = [
      ['640500010', '가온정', '1.00', '0.5', '2', '30'],
      ['640500020', '나온정', '2.67', '0.6667', '4', '30'],
      ['640500030', '다온정', '0.25', '0.25', '1', '30'],
    ];
    const names = ['보험코드', '약품명', '투약량', '투약량', '투여횟수', '투약일수'];
    const doses = (order: readonly number[]) =>
      interpret([names, ...rows.map((row) => order.map((i) => row[i]!))]).table?.lines.map(
        ({ quantity }) => quantity.value,
      );
    expect(doses([0, 1, 2, 3, 4, 5])).toEqual([0.5, 0.6667, 0.25]);
    expect(doses([0, 1, 3, 2, 4, 5])).toEqual([0.5, 0.6667, 0.25]);
  });

  it('whose header is cut off are not a total where they hold less than a day’s doses, though they equal some dose', () => {
    const header = ['처방의약품의명칭', '1일투약량', '1회투약량', '1일투여횟수', '총툽약'];
    const rows = [
      ['640500010 가온정', '3', '1', '3', '1'],
      ['640500020 나온정', '4', '1', '4', '5'],
      ['640500030 다온정', '2', '1', '2', '1'],
      ['640500040 라온시럽', '30', '10', '3', '30'],
      ['640500050 마온로션', '1', '1', '1', '1'],
    ];
    const { table } = interpret([header, ...rows]);
    expect(table?.lines.map(({ days, prescribedQty }) => [days.value, prescribedQty.value])).toEqual(
      [1, 5, 1, 30, 1].map((days) => [days, null]),
    );
    expect(table?.inferredColumns.has('days')).toBe(true);
  });

  it('are the dose of a time where it times the times a day is the dose of a day, though its header was read as another one, and one row is misread', () => {
    const headerWith = (word: string) => ['처방의약품의명칭', '1일투약량', word, '1일투약횟수', '총투약일수'];
    const rows = [
      ['640500010 가온정', '3', '1', '3', '7'],
      ['640500020 나온정', '4', '2', '2', '5'],
      ['640500030 다온정', '2.25', '0.75', '3', '7'],
      ['640500040 라온시럽', '0.67', '6667', '1', '30'],
      ['640500050 마온로션', '1', '1', '1', '1'],
    ];
    for (const word of ['회투', '투여', '가나다']) {
      const { table } = interpret([headerWith(word), ...rows]);
      expect(table?.lines.map(({ quantity }) => quantity.value)).toEqual([1, 2, 0.75, 0.6667, 1]);
      expect(table?.lines[3]?.quantity.confidence).toBeLessThan(0.7);
    }
  });

  it('are the dose of a time though the word for a day was read over them: the times a day make the other one of it', () => {
    const header = ['처방의약품의명칭', '투약량', '1일투약량', '1일투약횟수', '총투약일수'];
    const rows = [
      ['640500010 가온정', '6', '2', '3', '3'],
      ['640500020 나온정', '2', '0.6667', '3', '3'],
      ['640500030 다온정', '1', '1', '1', '2'],
    ];
    expect(interpret([header, ...rows]).table?.lines.map(({ quantity }) => quantity.value)).toEqual([2, 0.6667, 1]);
  });

  it('are a dose by inference alone where the sheet names only that of a day, and a drug is taken more often', () => {
    const header = ['처방의약품의명칭', '1일투약량', '1일투약횟수', '총투약일수'];
    const isInferred = (times: string) =>
      interpret([header, ['640500010 가온정', '3', times, '7']]).table?.inferredColumns.has('quantity');
    expect(isInferred('3')).toBe(true);
    expect(isInferred('1')).toBe(false);
  });

  it('are a daily dose by inference alone if there are others that no header announces for themselves', () => {
    const header = ['처방의약품의명칭', '1일투약량', '회투', '1일투약횟수', '총투약일수'];
    const rows = [
      ['640500010 가온정', '3', '2', '3', '7'],
      ['640500020 나온정', '4', '7', '2', '5'],
      ['640500030 다온정', '2', '1', '3', '7'],
    ];
    expect(interpret([header, ...rows]).table?.inferredColumns.has('quantity')).toBe(true);
  });

  it('between the dose and the days are not a total where they equal the dose, however long it is taken', () => {
    const header = ['처방의약품의 명칭 및 코드', '1회투약량', '가나다라', '총투약일수'];
    const rows = [
      ['640500010 가온정', '1', '2', '14'],
      ['640500020 나온정', '1', '1', '1'],
      ['640500030 다온정', '1', '1', '14'],
      ['640500040 라온정', '1', '1', '14'],
    ];
    const { table } = interpret([header, ...rows]);
    expect(
      table?.lines.map(({ quantity, days, prescribedQty }) =>
        [quantity, days, prescribedQty].map(({ value }) => value),
      ),
    ).toEqual([14, 1, 14, 14].map((days) => [1, days, null]));
  });

  it('of doses alone are sure of no thousands, which nothing on the sheet checks', () => {
    const rows = [
      ['640500010', '가온정', '6667', '3', '15'],
      ['640500020', '나온정', '1', '3', '15'],
    ];
    const sure = (header: readonly string[], more: readonly string[] = []) =>
      interpret([header, ...rows.map((row) => [...row, ...more])]).table!.lines.map(
        ({ quantity }) => quantity.confidence > 0.7,
      );
    expect(sure(['보험코드', '약품명', '1회투약량', '횟수', '투약일수'])).toEqual([false, true]);
    expect(sure(['보험코드', '약품명', '1회투약량', '횟수', '투약일수', '단가'], ['120'])).toEqual([true, true]);
  });

  it('have no lines of visits that are listed below in the same columns', () => {
    const { table } = interpret([
      ['약품코드', '약품명', '처방일수', '1회량'],
      ['640500010', '가온정5mg', '3', '1'],
      ['640500020', '나온정5mg', '5', '2'],
      ['', '재진 최시우', '2026.09.18', '34,700'],
      ['', '재진 황지우', '2026.10.26', '38,900'],
    ]);
    expect(table?.lines.map(({ drugName }) => drugName.value)).toEqual(['가온정5mg', '나온정5mg']);
  });

  it("have no lines of diagnoses that are listed next to another list's amounts", () => {
    const { table } = interpret([
      ['약품코드', '약품명', '처방일수', '1회량'],
      ['640500010', '가온정5mg', '3', '1'],
      ['', '주 I24.9 01:내과 2026-11-13 고혈압', '26', '600'],
      ['', '2026-11-13 나온정5mg', '5', '2'],
    ]);
    expect(table?.lines.map(({ drugName }) => drugName.value)).toEqual(['가온정5mg', '2026-11-13 나온정5mg']);
  });

  it('without header nor arithmetic are not guessed', () => {
    const rows = [
      ['640500010', '가온정', '3', '7', '19'],
      ['640500020', '나온정', '4', '5', '77'],
      ['640500030', '다온정', '1', '3', '31'],
    ];
    const { table } = interpret(rows);
    expect([...table!.columns].sort()).toEqual(['drugCode', 'drugName']);
  });
});
