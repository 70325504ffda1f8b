import { expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';

it('amounts that a total is made of are no lines, and none of the total', () => {
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
