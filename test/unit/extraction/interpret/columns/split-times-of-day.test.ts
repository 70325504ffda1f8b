import { expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';

it('doses of a day in one column are the dose and how often, where all of them are the same', () => {
  const table = readTable([
    ['EDI코드', '약품명', '아침-점심-저녁', '일수'],
    ['643930683', '가온정5mg', '0-0-1', '14'],
    ['643607050', '나래정10mg', '1-0-1', '14'],
    ['674017670', '다솜캡슐', '2-2-2', '7'],
    ['652110900', '라온정', '1-0-2', '7'],
  ]);
  const { lines } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
  expect(lines.map(({ quantity, timesPerDay, days }) => [quantity.value, timesPerDay.value, days.value])).toEqual([
    [1, 1, 14],
    [1, 2, 14],
    [2, 3, 7],
    [null, null, 7],
  ]);
});
