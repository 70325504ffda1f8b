import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { withoutListNumbers } from '../../../../../functions/extraction/domain/interpret/lists/list-numbers.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';

function stripped(...names: readonly (string | null)[]) {
  const read = names.map((text) => (text === null ? null : { text, confidence: 0.9 }));
  return withoutListNumbers(read).map((name) => name?.text ?? null);
}

describe('numbers that count the rows of a list', () => {
  it('are not a part of the names behind them', () => {
    expect(stripped('1 가온정', '2 나래캡슐', '3 다솜시럽')).toEqual(['가온정', '나래캡슐', '다솜시럽']);
    expect(stripped('4.가온정', '5. 나래캡슐', null, '7)다솜시럽')).toEqual(['가온정', '나래캡슐', null, '다솜시럽']);
    expect(stripped('1. 가온정')).toEqual(['가온정']);
    expect(stripped('1Telmivan tab', '2Bisolop tab', '3Ezrova tab')).toEqual([
      'Telmivan tab',
      'Bisolop tab',
      'Ezrova tab',
    ]);
    expect(stripped('1Telmivan tab')).toEqual(['1Telmivan tab']);
  });

  it('are none of them in circles, which may be read as brackets or as the circle of another number', () => {
    const names = ['가온정', '나래캡슐', '다솜시럽', '라온정'];
    expect(stripped('① 가온정', '2 나래캡슐', '(3다솜시럽', '② 라온정')).toEqual(names);
    expect(stripped('(① 가온정', '2 나래캡슐', '(3) 다솜시럽', '(6 라온정')).toEqual(names);
    expect(stripped('(3)가온정', '나래캡슐')).toEqual(['(3)가온정', '나래캡슐']);
  });

  it('are not a part of them in the cells of a grid, where a number may be misread', () => {
    const table = readTable([
      ['약품코드', '처방의약품의 명칭', '1회투약량', '1일투여횟수', '총투약일수'],
      ['640500010', '1 가온정5밀리그램', '1', '3', '7'],
      ['653100230', '2. 나래캡슐200mg', '0.5', '2', '5'],
      ['651700430', '다솜시럽', '15', '3', '3'],
      ['642900040', '4 라온연고', '2', '1', '9'],
    ]);
    const { lines } = interpretPage(pageReading([table]), findTemplate('default')!).table!;
    expect(lines.map(({ drugName }) => drugName.value)).toEqual([
      '가온정5밀리그램',
      '나래캡슐200mg',
      '다솜시럽',
      '라온연고',
    ]);
  });

  it('are recognised by rising from row to row: a name may start with a number', () => {
    expect(stripped('5 라온주', '5 마루주')).toEqual(['5 라온주', '5 마루주']);
    expect(stripped('1 라온주')).toEqual(['1 라온주']);
    expect(stripped('가온정', '2 라온주', '나래캡슐', '다솜시럽')).toEqual([
      '가온정',
      '2 라온주',
      '나래캡슐',
      '다솜시럽',
    ]);
  });
});
