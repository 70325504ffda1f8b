import { expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';

const LINES = [
  ['가온정150mg', '1', '2', '30', '60', '1,260'],
  ['나래캡슐140', '1', '1', '30', '30', '12,540'],
];

function pricesOf(total: string) {
  const header = ['조제 약품명', '1회량', '1일횟수', '투약일수', '총량', '약가(원)'];
  const table = readTable([header, ...LINES, ['약품비 소계', '', '', '', '', total]]);
  const { lines, printedTotals } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
  return { ...printedTotals, prices: lines.map(({ unitPrice, totalAmount }) => [unitPrice.value, totalAmount.value]) };
}

it('prices whose sum the total prints are amounts, under any header', () => {
  expect(pricesOf('13,800')).toMatchObject({
    totalAmount: 13_800,
    prices: [
      [null, 1260],
      [null, 12_540],
    ],
  });
});

it('prices with another total below them are prices', () => {
  expect(pricesOf('451,800').prices).toEqual([
    [1260, null],
    [12_540, null],
  ]);
});
