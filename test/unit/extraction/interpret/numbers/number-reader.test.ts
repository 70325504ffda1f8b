import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, pageReading, readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;
const HEADER = ['약품코드', '약품명', '1회투약량', '1일투여횟수', '총투약일수'];

/** A number as high as given, in pixels. */
function digits(text: string, height: number): CellSpec {
  const numeral = { text, confidence: 0.99 };
  return { text, lines: [{ text, confidence: 0.99, numeral, box: { x: 0, y: 0, width: 5 * text.length, height } }] };
}

describe('a number of days', () => {
  const daysOf = (days: string) =>
    interpretPage(pageReading([readTable([HEADER, ['640500010', '가온정5mg', '1', '3', days]])]), template).table!
      .lines[0]!.days;

  it('is not a number if it is a code that a remark repeats', () => {
    expect(daysOf('656600730')).toMatchObject({ value: null, text: '656600730' });
    expect(daysOf('365').value).toBe(365);
  });
});

describe('a count with a point', () => {
  const daysOf = (...days: readonly CellSpec[]) => {
    const rows = days.map((print, row) => [`64050001${row}`, '가온정5mg', '1.0', '3', print]);
    return interpretPage(pageReading([readTable([HEADER, ...rows])]), template).table!.lines.map((line) => line.days);
  };

  it('has a speck between its digits where the others have none, and is doubted', () => {
    const [, , days] = daysOf('60', '3', { text: '1.0', confidence: 0.9 });
    expect(days).toMatchObject({ value: 10 });
    expect(days!.confidence).toBeLessThan(0.6);
    const [, , sure] = daysOf('60', '3', '1.0');
    expect(sure).toMatchObject({ value: 1 });
    expect(sure!.confidence).toBeLessThan(0.6);
  });

  it('is printed with decimals where others are', () => {
    expect(daysOf('60.0', '3.0', '1.0').map(({ value }) => value)).toEqual([60, 3, 1]);
  });
});

describe('digits of a few pixels', () => {
  const daysOf = (header: readonly string[], days: CellSpec, ...more: readonly CellSpec[]) => {
    const table = readTable([header, ['640500010', '가온정5mg', '1', '3', days, ...more]]);
    return interpretPage(pageReading([table]), template).table!.lines[0]!.days;
  };

  it('are doubted if nothing on the sheet distinguishes 6 from 8', () => {
    expect(daysOf(HEADER, digits('60', 8))).toMatchObject({ value: 60, doubt: 'small' });
  });

  it('are legible where a program drew the picture, unless they are even smaller', () => {
    const drawn = (height: number) => {
      const reading = pageReading([readTable([HEADER, ['640500010', '가온정5mg', '1', '3', digits('60', height)]])]);
      return interpretPage({ ...reading, image: { ...reading.image, drawn: true } }, template).table!.lines[0]!.days;
    };
    expect(drawn(8).doubt).toBeUndefined();
    expect(drawn(6)).toMatchObject({ value: 60, doubt: 'small' });
  });

  it('are not where they look like no other, are higher, or amounts check them', () => {
    expect(daysOf(HEADER, digits('14', 8)).doubt).toBeUndefined();
    expect(daysOf(HEADER, digits('60', 12)).doubt).toBeUndefined();
    expect(daysOf([...HEADER, '단가', '금액'], digits('60', 8), '10', '1800').doubt).toBeUndefined();
  });
});
