import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';

/** The doses of a list, whose numerals' reading knows no stroke. */
function dosesOf(doses: readonly string[], times = '1일투여횟수') {
  const rows = doses.map((dose, row) => {
    const numeral = dose.replace(/[^\d.]/g, '');
    return [`64050001${row}`, '가온정5밀리그램', { text: dose, numeral }, '2', '3'];
  });
  const table = readTable([['약품코드', '약품명', '1회투약량', times, '총투약일수'], ...rows]);
  return interpretPage(pageReading([table]), findTemplate('default')!).table?.lines.map(
    ({ quantity }) => quantity.value,
  );
}

describe('a dose that is printed as a part of one', () => {
  it('is that part, with a unit or without one', () => {
    expect(dosesOf(['1', '1/2', '0.5', '1/3', '3/4정'])).toEqual([1, 0.5, 0.5, 0.3333, 0.75]);
    expect(dosesOf(['1/2', '1/2', '1/4'])).toEqual([0.5, 0.5, 0.25]);
  });

  it('is unknown next to others that are not parts: the times a day may follow the stroke', () => {
    expect(dosesOf(['1/2', '3/2', '2/3', '1/3정'])).toEqual([null, null, null, 0.3333]);
  });
});
