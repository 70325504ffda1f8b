import { describe, expect, it } from 'vitest';
import {
  centredNumbers,
  levelNumber,
  shiftedNumbers,
  strayNumbers,
  tallNumbers,
} from '../../../../../functions/extraction/domain/interpret/numbers/number-places.ts';
import type { ReadCell } from '../../../../../functions/extraction/domain/reading/table-reader.ts';

describe('numbers among those of another column', () => {
  const doses = [cell('1', 100), cell('2', 102), cell('1', 99)];
  const times = [cell('3', 200), cell('3', 201), cell('2', 199)];

  it('are strays: the number that belongs there was not seen', () => {
    const stray = cell('3', 170);
    expect(strayNumbers(columnsOf([...doses, stray], [...times, undefined]))).toEqual(new Set([stray]));
  });

  it('are not moved if all are printed off the form alike', () => {
    expect(strayNumbers(columnsOf(doses, times)).size).toBe(0);
    expect(strayNumbers(columnsOf([...doses, cell('0.6667', 110)], [...times, cell('1', 200)])).size).toBe(0);
  });

  it('are not recognised by a single row', () => {
    expect(strayNumbers(columnsOf([cell('1', 100), cell('2', 180)], [cell('3', 200), undefined])).size).toBe(0);
  });
});

describe('a number in a column that centres its numbers', () => {
  const centred = [cell('30', 100), cell('3', 100.5), cell('7', 99.5), cell('30', 100)];
  const shifted = (...cells: readonly ReadCell[]) => [...shiftedNumbers(cells)].map(({ text }) => text.text);

  it('lacks a digit if it is half a digit off the middle', () => {
    expect(shifted(...centred, cell('5', 104))).toEqual(['5']);
    expect(shifted(...centred, cell('3', 96))).toEqual(['3']);
    expect(shifted(cell('1', 100), cell('3', 100), cell('5', 104), cell('7', 100))).toEqual(['5']);
  });

  it('lacks none in the middle', () => {
    expect(shifted(...centred, cell('5', 101))).toEqual([]);
    expect(shifted(...centred, cell('100', 100))).toEqual([]);
  });

  it('is whole in the middle, unless others show no middle', () => {
    const whole = (...cells: readonly ReadCell[]) => [...centredNumbers(cells)].map(({ text }) => text.text);
    expect(whole(...centred, cell('5', 100.5))).toContain('5');
    expect(whole(...centred, cell('5', 104))).not.toContain('5');
    expect(whole(cell('1', 100), cell('3', 100), cell('5', 100), cell('7', 100))).toEqual([]);
  });

  it('is not decided if numbers end or start at one place, lie anywhere or are few', () => {
    expect(shifted(cell('30', 100), cell('30', 100), cell('14', 100), cell('5', 104))).toEqual([]);
    expect(shifted(cell('3', 100), cell('3', 100), cell('7', 100), cell('14', 96))).toEqual([]);
    expect(shifted(cell('30', 100), cell('3', 103), cell('7', 97), cell('5', 104))).toEqual([]);
    expect(shifted(cell('30', 100), cell('3', 100), cell('5', 104))).toEqual([]);
  });
});

describe('a number that is taller than the others of its column', () => {
  const tall = (cell: ReadCell): ReadCell => ({
    ...cell,
    lines: cell.lines!.map((line) => ({ ...line, box: { ...line.box, height: 2 * line.box.height } })),
  });
  const others = [cell('3', 100), cell('7', 100), cell('14', 100)];

  it('has a stroke next to it', () => {
    const number = tall(cell('42', 100));
    expect(tallNumbers([...others, number])).toEqual(new Set([number]));
  });

  it('is not taller among others as tall, or with too few others', () => {
    expect(tallNumbers([...others, cell('42', 100)]).size).toBe(0);
    expect(tallNumbers([cell('3', 100), tall(cell('42', 100))]).size).toBe(0);
  });
});

describe('levelNumber', () => {
  const [first] = cell('30', 100).lines!;
  const below = { ...first!, text: '1', numeral: { text: '1', confidence: 1 }, box: { ...first!.box, y: 20 } };
  const two = { ...cell('301', 100), lines: [first!, below] };

  it('is the one of a cell’s numbers that is level with the row’s others, doubted', () => {
    const { text, numeral } = levelNumber(two, [cell('1', 40), cell('3', 70)]);
    expect([text, numeral]).toEqual(Array(2).fill({ text: '30', confidence: 0.5 }));
  });

  it('is that with its unit', () => {
    const lines = [
      { ...below, text: '2', box: { ...below.box, y: -16 } },
      { ...first!, text: '0.3 정', numeral: null },
    ];
    expect(levelNumber({ ...two, lines }, [cell('1', 40)]).text.text).toBe('0.3 정');
  });

  it('is not decided if each is level with one, or none is', () => {
    const { lines } = cell('2', 40);
    const low = { ...cell('2', 40), lines: lines!.map((line) => ({ ...line, box: { ...line.box, y: 20 } })) };
    expect(levelNumber(two, [cell('1', 40), low])).toBe(two);
    expect(levelNumber(two, [])).toBe(two);
  });
});

function columnsOf(quantity: readonly (ReadCell | undefined)[], timesPerDay: readonly (ReadCell | undefined)[]) {
  return new Map([
    ['quantity', quantity],
    ['timesPerDay', timesPerDay],
  ] as const);
}

/** Digits in the middle of x. */
function cell(text: string, x: number): ReadCell {
  const read = { text, confidence: 1 };
  const box = { x: x - 4 * text.length, y: 0, width: 8 * text.length, height: 12 };
  const place = { row: 0, column: 0, rowSpan: 1, columnSpan: 1, box: { x: 0, y: 0, width: 300, height: 12 } };
  return { ...place, blank: false, text: read, numeral: read, lines: [{ ...read, numeral: read, box }] };
}
