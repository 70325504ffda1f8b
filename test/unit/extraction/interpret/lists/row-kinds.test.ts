import { expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { type Printed, printedForm } from '../../../../helpers/printed-form.ts';

it('amounts that a total is made of are not lines, and none of the total', () => {
  const table = readTable([
    ['품목코드', '품명', '단가', '수량', '공급가액'],
    ['645501290', '가온정5mg', '100', '30', '3,000'],
    ['071602520', '나래캡슐', '200', '10', '2,000'],
    ['이월', '', '', '', '7,000'],
    ['공급가액', '', '', '세액', '12,000'],
    ['총 합계', '', '', '', '13,200'],
  ]);
  const page = interpretPage(pageReading([table]), findTemplate('default')!);
  expect(page.table?.lines.map(({ drugCode, totalAmount }) => [drugCode.value, totalAmount.value])).toEqual([
    ['645501290', 3000],
    ['071602520', 2000],
  ]);
  expect(page.table?.printedTotals.totalAmount).toBe(13_200);
});

it('sums of a kind of cost, who pays them, the date of the claim and boxes to tick for the time of day are not lines', () => {
  const table = readTable([
    ['약품명', '1회량', '횟수', '일수', '단가', '금액'],
    ['가온정5mg', '1', '2', '5', '100', '1,000'],
    ['나래캡슐', '1', '3', '5', '200', '3,000'],
    ['약 품 비  소계', '', '', '', '', '4,000'],
    ['주사 소계', '', '', '', '', '0'],
    ['[소계]', '', '', '', '', '0'],
    ['조제료', '', '', '', '', '7,580'],
    ['총 약제비', '', '', '', '', '11,580'],
    ['본인부담금', '', '', '', '', '3,400'],
    ['2015년 09월 21일', '1', '', '', '', ''],
    ['□ 아침 □ 점심', '/ 저녁', '식후 30분', '', '', ''],
  ]);
  const { lines, printedTotals } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
  expect(lines.map(({ drugName, totalAmount }) => [drugName.value, totalAmount.value])).toEqual([
    ['가온정5mg', 1000],
    ['나래캡슐', 3000],
  ]);
  expect(printedTotals.totalAmount).toBe(4000);
});

it.each(['약품비 소계', '약 제 합 계', '청구금액 계'])(
  'the sum below the last name of a list without a grid is not a second line of that name: %s',
  (label) => {
    const row = (y: number, [name, code, ...numbers]: readonly string[]): readonly Printed[] => [
      [name!, 100, y],
      [code!, 110, y + 20],
      ...numbers.map((number, index): Printed => [number, 420 + 80 * index, y + 20]),
    ];
    const header = ['1회', '횟수', '일수', '금액'].map((text, index): Printed => [text, 420 + 80 * index, 40]);
    const page = printedForm(
      [],
      [
        ['조제내역서', 420, 10],
        ['약품명 / 코드', 100, 40],
        ...header,
        ...row(70, ['가온캡슐', '640500010', '1', '2', '5', '2,950']),
        ...row(120, ['나래현탁액20mL', '653100230', '1', '3', '5', '3,075']),
        ...row(170, ['다솜이알서방정', '651700430', '2', '3', '3', '459']),
        [label, 100, 212],
      ],
    );
    const { lines } = interpretPage(page, findTemplate('default')!).table!;
    expect(lines.map(({ drugName }) => drugName.value)).toEqual(['가온캡슐', '나래현탁액20mL', '다솜이알서방정']);
  },
);

it('doses, times and days are not words of a repeated header', () => {
  const table = readTable([
    ['약품명', '투약량', '횟수', '일수'],
    ['가온정5mg', '1정', '1회', '5일'],
    ['나래캡슐', '1캡슐', '2회', '5일'],
  ]);
  const { lines } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
  expect(lines.map(({ quantity, days }) => [quantity.value, days.value])).toEqual([
    [1, 5],
    [1, 5],
  ]);
});
