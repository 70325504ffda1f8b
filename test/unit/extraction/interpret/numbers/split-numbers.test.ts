import { describe, expect, it } from 'vitest';
import { splitCodeAndName } from '../../../../../functions/extraction/domain/interpret/codes/code-and-name.ts';
import {
  cutNumbers,
  hasStrayDigits,
  isSplitBetween,
  joinSplitNumbers,
} from '../../../../../functions/extraction/domain/interpret/numbers/split-numbers.ts';
import type { Print } from '../../../../../functions/extraction/domain/interpret/print.ts';
import type { ReadCell, ReadTable } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { linedCell, readTable } from '../../../../helpers/page-reading.ts';

describe('isSplitBetween', () => {
  it.each([
    ['digits', '1', 4],
    ['a digit behind the end of a name', '가나시럽100mL(다라1', 3],
    ['a digit behind a blank', '가나시럽 1', 4],
  ])('knows a number by %s that its own digits follow beyond a border', (_, text, gap) => {
    expect(isSplitBetween(cellBefore(text), cellAfter('5.0000', gap))).toBe(true);
  });

  it.each([
    ['stand apart', '가나시럽100mL(다라1', 12],
    ['are of a strength', '가나정2.5', 3],
    ['end in letters', '가나정5mg', 3],
  ])('takes a number for whole next to print whose last signs %s', (_, text, gap) => {
    expect(isSplitBetween(cellBefore(text), cellAfter('5.0000', gap))).toBe(false);
  });
});

describe('joinSplitNumbers', () => {
  it('puts the point back that a border hides behind a lone zero, and doubts the number', () => {
    const [number, ...others] = joinSplitNumbers([printOf(cellBefore('0')), printOf(cellAfter('5정', 10))]);
    expect(others).toEqual([]);
    expect(number).toMatchObject({ text: '0.5정', numeral: { text: '0.5' } });
    expect(number!.confidence).toBeLessThan(0.6);
  });

  it.each([
    ['3', '5정', 10],
    ['0', '0.5', 10],
  ])('leaves %s and %s two numbers that are %i pixels apart', (left, right, gap) => {
    expect(joinSplitNumbers([printOf(cellBefore(left)), printOf(cellAfter(right, gap))])).toHaveLength(2);
  });
});

describe('a number that runs over the border of its column', () => {
  const print = (text: string, x: number, width: number, own: ReadCell, n: number): Print => {
    const reading = { text, confidence: 1, letters: Array.from(text, () => 1) };
    const box = { x, y: 10 + 30 * n, width, height: 20 };
    return { ...reading, numeral: { text, confidence: 1 }, box, cell: own, table, line: null };
  };
  const column = (from: number, index: number): ReadCell => ({
    ...cell('', from),
    column: index,
    box: { x: from, y: 0, width: 100, height: 100 },
  });
  const [doses, times] = [column(200, 1), column(BORDER, 2)];
  const table = { cells: [doses, times] } as unknown as ReadTable;
  const joined = (...rows: [dose: [string, number], times: string][]) =>
    joinSplitNumbers(
      rows.flatMap(([[dose, end], beside], n) => [
        print(dose, end - dose.length * LETTER_WIDTH, dose.length * LETTER_WIDTH, doses, n),
        print(beside, BORDER + 3, 60, times, n),
      ]),
    ).map(({ text, confidence }) => [text, confidence] as const);

  it('is whole again with the digits before those of the next column, and both are doubted', () => {
    const numbers = new Map(joined([['0.2', BORDER - 6], '5 3']));
    expect([...numbers.keys()].sort()).toEqual(['0.25', '3']);
    expect(Math.max(...numbers.values())).toBeLessThanOrEqual(0.5);
  });

  it('doubts the others of its column that reach as far', () => {
    const numbers = joined([['0.2', BORDER - 6], '5 3'], [['0.5', BORDER - 6], '1'], [['1', BORDER - 40], '2']);
    expect(numbers.find(([text]) => text === '0.5')![1]).toBe(0.5);
    expect(numbers.find(([text]) => text === '1')![1]).toBe(1);
  });

  it('is not joined if two numbers of the next column are off the border', () => {
    const apart = joined([['0.2', BORDER - 40], '5 3']);
    expect(apart.map(([text]) => text).sort()).toEqual(['0.2', '5 3']);
  });
});

describe('cutNumbers', () => {
  const row = (name: string, number: string, gap: number) => ({
    before: printOf(cellBefore(name)),
    number: printOf(cellAfter(number, gap)),
  });

  it('doubts every number that names reach up to, if digits of some are at the end of names', () => {
    const rows = [
      row('나래정20그램(2', '0mL', 2),
      row('다솜정0', '0.5', 4),
      row('라온정(', '5', 9),
      row('마루정', '7', 60),
    ];
    expect([...cutNumbers(rows)].map(({ text }) => text)).toEqual(['0mL', '0.5', '5']);
  });

  it('doubts none for a single name that ends in a digit', () => {
    expect(cutNumbers([row('나래정2', '1', 4), row('다솜정', '1', 4), row('라온정', '1', 4)]).size).toBe(0);
  });
});

describe('a code that the border of its column cuts', () => {
  it('is whole again where the digit on the border was read on both sides of it, and doubted', () => {
    const found = splitCodeAndName({ text: '65310023 30 나래캡슐200mg', confidence: 1 })!;
    expect([found.code.text, found.name.text]).toEqual(['653100230', '나래캡슐200mg']);
    expect(found.code.confidence).toBeLessThanOrEqual(0.5);
  });
});

const BORDER = 300;
const LETTER_WIDTH = 8;

/** Its text ends at the border. */
function cellBefore(text: string): ReadCell {
  return cell(text, BORDER - text.length * LETTER_WIDTH);
}

/** Its text starts this number of pixels beyond the border. */
function cellAfter(text: string, gap: number): ReadCell {
  return cell(text, BORDER + gap);
}

function cell(text: string, x: number): ReadCell {
  const box = { x, y: 10, width: text.length * LETTER_WIDTH, height: 20 };
  const reading = { text, confidence: 1 };
  return {
    row: 0,
    column: 0,
    rowSpan: 1,
    columnSpan: 1,
    box,
    blank: false,
    text: reading,
    numeral: null,
    lines: [{ ...reading, numeral: null, box }],
  };
}

function printOf(cell: ReadCell): Print {
  return { ...cell.text, numeral: cell.numeral, box: cell.box, cell, table: null, line: null };
}

describe('a number with a digit read as a separate line', () => {
  const lined = (...lines: readonly string[]): ReadCell => readTable([[linedCell(lines)]]).cells[0]!;

  it('has fewer digits than its cell shows', () => {
    expect(hasStrayDigits(lined('4', '1'), '4')).toBe(true);
    const pieces = [{ text: '1' }, { text: '' }] as never;
    const [first, second] = lined('4', '').lines!;
    expect(hasStrayDigits({ ...lined('4', ''), lines: [first!, { ...second!, pieces }] }, '4')).toBe(true);
  });

  it.each([
    ['one line', ['14'], '14'],
    ['a speck below', ['14', ''], '14'],
    ['its unit below', ['14', '일'], '14'],
  ])('has all of them in %s', (_, lines, number) => {
    expect(hasStrayDigits(lined(...lines), number)).toBe(false);
  });
});
