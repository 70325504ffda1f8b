import { describe, expect, it } from 'vitest';
import {
  areDoses,
  doseNumbers,
  doseWords,
  isLikeDose,
  joinedAcross,
} from '../../../../../functions/extraction/domain/interpret/doses/combined-dose.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';

const template = findTemplate('default')!;

/** A reading with some letters less sure, and their alternatives. */
function read(text: string, unsure: Readonly<Record<number, readonly [confidence: number, rivals: string]>> = {}) {
  const letters = Array.from(text, (_, at) => unsure[at]?.[0] ?? 1);
  const rivals = Array.from(text, (_, at) => unsure[at]?.[1] ?? '');
  return { text, confidence: Math.min(...letters), letters, rivals };
}

const numbersOf = (text: string) => doseNumbers(read(text))?.map((number) => number.text) ?? null;
const surenessOf = (...parts: Parameters<typeof read>) =>
  doseNumbers(read(...parts))?.map((number) => number.confidence);

describe('the header of a column of doses', () => {
  it.each([
    ['1회투약량/1일투여횟수/총투약일수', ['1회투약량', '1일투여횟수', '총투약일수']],
    ['1회량 / 횟수 / 일수', ['1회량', '횟수', '일수']],
    ['Dose/Freq/ Days 1회투약량/횟수/일수', ['1회투약량', '횟수', '일수']],
    ['1회투약량/횟수/일수Dose/Times/Days', ['1회투약량', '횟수', '일수']],
  ])('is three words with marks between them, with any addition of a second language: %s', (text, words) => {
    expect(doseWords([text], template)).toEqual(words);
  });

  it.each([
    [['1회투약량 / 1일투여횟수', '/ 총투약일수']],
    [['1회투약량/1일투여', '횟수/총투약일수']],
    [['1회투약량 / 1일투여횟수', '총투약일수']],
    [['1회투약량', '1일투여횟수', '총투약일수']],
  ])('may be in lines without a mark between one and the next: %j', (lines) => {
    expect(doseWords(lines, template)).toEqual(['1회투약량', '1일투여횟수', '총투약일수']);
  });

  it.each(['1회량/횟수', '일수/횟수/1회량', '단가/금액/비고', '1회량 횟수 일수'])('is nothing else: %s', (text) => {
    expect(doseWords([text], template)).toBeNull();
  });
});

describe('the numbers of a dose', () => {
  it.each([
    ['1.00 / 3 / 7', ['1.00', '3', '7']],
    ['0.5정x2회x5일', ['0.5', '2', '5']],
    ['20.0/ 1 /.2', ['20.0', '1', '2']],
    ['2.00정/ 2회_/ 3일', ['2.00', '2', '3']],
    ['15mL × 3 × 30', ['15', '3', '30']],
    ['0.5/1/5 ×용조크지모0.08', ['0.5', '1', '5']],
    ['1T/1/3  정방/그긔니보5 0c', ['1', '1', '3']],
    ['0.5/2/5붕두우콤내0 088', ['0.5', '2', '5']],
  ])('are between two marks, ignoring readings next to a mark or behind the days: %s', (text, numbers) => {
    expect(numbersOf(text)).toEqual(numbers);
  });

  it.each([
    ['1/.2730', 'a mark is read as a digit'],
    ['1 13/3', 'a mark is read as a digit'],
    ['1/3/7/2', 'a digit is read as a mark'],
    ['.5/3/7', 'the dose lacks its first digit'],
    ['1/1.5/7', 'nothing is taken one and a half times a day'],
    ['1//7', 'there is nothing between the marks'],
  ])('are not split if the mark is ambiguous: %s, %s', (text) => {
    expect(numbersOf(text)).toBeNull();
  });

  it('are identified by their units if a mark was not read, and doubted', () => {
    expect(numbersOf('0.25정 /2회    14일')).toEqual(['0.25', '2', '14']);
    expect(surenessOf('0.25정 /2회    14일')).toEqual([0.5, 0.5, 0.5]);
    expect(numbersOf('0.25정 7 3회 / 60일')).toBeNull();
    expect(numbersOf('0.25정 3일')).toBeNull();
  });

  it('have a point where a rule along their feet took it out, and are doubted', () => {
    expect(numbersOf('1 00/3/2')).toEqual(['1.00', '3', '2']);
    expect(numbersOf('0_50정/4회/30일')).toEqual(['0.50', '4', '30']);
    expect(surenessOf('1 00/3/2')).toEqual([0.5, 1, 1]);
    expect(numbersOf('1 37/3/2')).toBeNull();
  });

  it('are unsure next to an unsure mark, and next to a possible digit', () => {
    expect(surenessOf('1.0/3/7', { 3: [0.6, '7'] })).toEqual([0.6, 0.6, 1]);
    expect(surenessOf('1.0/3 /7', { 5: [0.6, '1'] })).toEqual([1, 0.6, 0.6]);
    expect(surenessOf('1.0정 /3/7', { 4: [0.6, '.'] })).toEqual([1, 1, 1]);
    expect(surenessOf('1./3/7')).toEqual([0.5, 1, 1]);
  });
});

describe('what looks like a dose', () => {
  it.each(['1/.2730', '7.5 5/373', '0.25 /.2 10', '1.5정 3회 5일'])('has digits for three numbers: %s', (text) => {
    expect(isLikeDose(text)).toBe(true);
  });

  it.each(['1/3', '처방□)', '640500010 가온정5밀리그램', '사용기간(3)일간 5 7'])('is not text: %s', (text) => {
    expect(isLikeDose(text)).toBe(false);
  });

  it('are doses below such a header where some of them are read, or several look so', () => {
    expect([areDoses(1, 3), areDoses(0, 2)]).toEqual([true, true]);
    expect([areDoses(0, 1), areDoses(1, 4)]).toEqual([false, false]);
  });
});

describe('a dose that a rule seems to part', () => {
  const piece = (text: string, x: number, width: number) => {
    return { ...read(text), box: { x, y: 0, width, height: 10 } };
  };

  it('is one line, doubted', () => {
    expect(joinedAcross([piece('0.', 0, 11), piece('3/2/3', 13, 40)])).toMatchObject({
      text: '0.3/2/3',
      confidence: 0.5,
    });
    expect(joinedAcross([piece('1.5', 0, 18), piece('/3/15', 26, 40)])).toMatchObject({ text: '1.5 /3/15' });
  });

  it('is not joined if both sides may show the same digit', () => {
    expect(joinedAcross([piece('7.5', 0, 18), piece('5/3/3', 11, 40)])).toBeNull();
  });
});
