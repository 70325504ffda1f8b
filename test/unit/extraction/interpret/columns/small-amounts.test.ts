import { expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';

function columnsOf(...last: readonly string[]) {
  const table = readTable([
    ['처방의약품의 명칭', '1회투약량', '1일횟수', '총액'],
    ['643503630 가온시럽', '6.0', '2', last[0]!],
    ['643502950 나래정15밀리그램', '0.5', '3', last[1]!],
    ['062801580 다솜정1밀리그램', '1.0', '4', last[2]!],
  ]);
  return interpretPage(pageReading([table]), findTemplate('default')!).table!.columns;
}

it('numbers too small for any amount do not count, under any header', () => {
  expect(columnsOf('3', '3', '9').has('totalAmount')).toBe(false);
  expect(columnsOf('3', '3', '9').has('days')).toBe(true);
  expect(columnsOf('1,200', '310', '95').has('totalAmount')).toBe(true);
});
