import { describe, expect, it } from 'vitest';
import { numbersBetweenDoubtedMarks } from '../../../../../functions/extraction/domain/interpret/doses/doubted-marks.ts';

/** A reading, with less sure letters and their alternatives. */
function numbersOf(text: string, unsure: Readonly<Record<number, readonly [confidence: number, rivals: string]>> = {}) {
  const letters = Array.from(text, (_, at) => unsure[at]?.[0] ?? 1);
  const rivals = Array.from(text, (_, at) => unsure[at]?.[1] ?? '');
  const numbers = numbersBetweenDoubtedMarks({ text, confidence: Math.min(...letters), letters, rivals });
  return numbers?.map((number) => [number.text, number.confidence]) ?? null;
}

describe('the numbers of a dose whose marks were read as something else', () => {
  it.each([
    ['1.07 377', { 3: [0.95, ''], 6: [0.93, '/'] }, ['1.0', '3', '7']],
    ['2.0 377', { 5: [0.9, '/'] }, ['2.0', '3', '7']],
    ['0.5 2 14', {}, ['0.5', '2', '14']],
    ['0.75/ 3130', { 7: [0.8, ''] }, ['0.75', '3', '30']],
    // A digit alone between the blanks around marks, however surely it was read.
    ['0.25 7 4 / 60', {}, ['0.25', '4', '60']],
    ['2 1 7', {}, ['2', '1', '7']],
  ] as const)('are split if only one reading of the marks remains, and are doubted: %s', (text, unsure, numbers) => {
    expect(numbersOf(text, unsure)).toEqual(numbers.map((number) => [number, 0.5]));
  });

  it.each([
    ['two ways are left', '1 17 3', { 2: [0.8, '/'], 3: [0.8, '/'] }],
    ['no letter may be a mark', '1.0373', {}],
    ['the dose would have a fraction that none has', '1.04 3 7', {}],
    ['the times a day are implausible', '1 9 7', {}],
  ] as const)('are not known where %s', (_, text, unsure) => {
    expect(numbersOf(text, unsure)).toBeNull();
  });
});
