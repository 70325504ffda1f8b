import { describe, expect, it } from 'vitest';
import { splitHalves } from '../../../../../functions/extraction/domain/interpret/columns/split-halves.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;
const NUMBERS = ['1회투약량', '1일투여횟수', '총투약일수'];

describe('a list in two halves', () => {
  const halvesOf = (rows: Parameters<typeof readTable>[0]) =>
    splitHalves(readTable(rows), template).map(({ columnCount, cells }) => ({
      columnCount,
      texts: cells.filter(({ row }) => row > 0).map(({ text }) => text.text),
    }));

  it('is parted before the names of the right one', () => {
    expect(
      halvesOf([
        ['약품명', ...NUMBERS, '약품명', ...NUMBERS],
        ['가온정', '1', '3', '7', '나래정', '2', '1', '5'],
      ]),
    ).toEqual([
      { columnCount: 4, texts: ['가온정', '1', '3', '7'] },
      { columnCount: 4, texts: ['나래정', '2', '1', '5'] },
    ]);
  });

  it('is parted where no name is cut, though only the end of their header was read', () => {
    expect(
      halvesOf([
        ['약품명', ...NUMBERS, '처 방', '약품 명칭', ...NUMBERS],
        ['가온정', '1', '3', '7', { text: '나래정', columnSpan: 2 }, null, '2', '1', '5'],
        [{ text: '주사제 처방내역', columnSpan: 6 }, null, null, null, null, null, '', '', ''],
      ]),
    ).toMatchObject([
      { columnCount: 4, texts: ['가온정', '1', '3', '7', '주사제 처방내역'] },
      { columnCount: 5, texts: ['나래정', '2', '1', '5', '', '', ''] },
    ]);
  });

  it('is parted before the numbers of the right one, where words before those were not read', () => {
    expect(
      halvesOf([
        ['No', '약품명', '1회투약량', '황수', '톡', 'No', '약품명', '1회투약량', '약수', '른수'],
        ['1', '가온정', '1', '3', '7', '2', '나래정', '2', '1', '5'],
      ]),
    ).toEqual([
      { columnCount: 5, texts: ['1', '가온정', '1', '3', '7'] },
      { columnCount: 5, texts: ['2', '나래정', '2', '1', '5'] },
    ]);
  });

  it('is one where the same words do not come again', () => {
    expect(
      halvesOf([
        ['약품명', ...NUMBERS, '용법'],
        ['가온정', '1', '3', '7', '식후'],
      ]),
    ).toHaveLength(1);
  });
});
