import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../../functions/extraction/domain/drug-line.ts';
import { besideDailyDose } from '../../../../../functions/extraction/domain/interpret/doses/daily-dose.ts';

const read = (value: number | null, confidence = 0.99): Field<number> => ({ value, text: String(value), confidence });

describe('a dose next to the daily dose', () => {
  it('stays as it was read where the times a day make the other one of it, be it rounded', () => {
    for (const [dose, daily, times] of [
      [1, 3, 3],
      [0.6667, 2, 3],
      [0.3333, 0.67, 2],
    ] as const)
      expect(besideDailyDose(read(dose, 0.8), read(daily), read(times))).toEqual(read(dose, 0.8));
  });

  it('is doubted where the others contradict it, and never what print did not offer', () => {
    expect(besideDailyDose(read(null, 0), read(4), read(2))).toMatchObject({ value: null, confidence: 0.5 });
    expect(besideDailyDose(read(19, 0.9), read(1), read(1))).toMatchObject({ value: 19, confidence: 0.5 });
    expect(besideDailyDose(read(0.6, 0.4), read(2), read(3))).toMatchObject({ value: 0.6, confidence: 0.4 });
    expect(besideDailyDose({ ...read(6667), doubt: 'crossed' }, read(2), read(3)).value).toBe(0.6667);
  });

  it('keeps its own digits where it has only lost its point', () => {
    expect(besideDailyDose(read(6667, 0.9), read(0.67), read(1)).value).toBe(0.6667);
    expect(besideDailyDose(read(25, 0.9), read(0.75), read(3)).value).toBe(0.25);
  });

  it('has no 1 that is a rule before a part of one', () => {
    expect(besideDailyDose(read(10.3, 0.9), read(1.2), read(4))).toMatchObject({ value: 0.3, confidence: 0.5 });
    expect(besideDailyDose(read(10.3, 0.999), read(1.2), read(4))).toMatchObject({ value: 10.3, confidence: 0.5 });
    expect(besideDailyDose(read(10.5, 0.999), read(2.5), read(1)).value).toBe(10.5);
  });

  it('stays as it was read where the dose of the day has lost its point', () => {
    expect(besideDailyDose(read(0.6667, 0.5), read(20_000), read(3))).toEqual(read(0.6667, 0.5));
  });

  it('is doubted alone where it was read as surely as the others, which contradict it', () => {
    expect(besideDailyDose(read(2, 0.995), read(3), read(1))).toMatchObject({ value: 2, confidence: 0.5 });
  });

  it('stays where the others are not sure', () => {
    expect(besideDailyDose(read(2), read(3, 0.7), read(1))).toEqual(read(2));
    expect(besideDailyDose(read(2), read(null, 0), read(1))).toEqual(read(2));
    expect(besideDailyDose(read(2), { ...read(3), doubt: 'crossed' }, read(1))).toEqual(read(2));
  });
});
