import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../../functions/extraction/domain/drug-line.ts';
import { asThird, withZero } from '../../../../../functions/extraction/domain/interpret/doses/dose-thirds.ts';

const dose = (value: number, rest: Partial<Field<number>> = {}): Field<number> => ({
  value,
  text: String(value),
  confidence: 1,
  ...rest,
});

describe('a third of a tablet', () => {
  it.each([
    [0.3331, 0.3333],
    [0.335, 0.3333],
    [0.6663, 0.6667],
    [1.3338, 1.3333],
    [0.6067, 0.6667],
    [0.8667, 0.6667],
    [1.3833, 1.3333],
    [0.33331, 0.3333],
    [0.333334, 0.3333],
    [0.66672, 0.6667],
  ])('with a misread digit is one, and doubted: %d', (read, value) => {
    expect(asThird(dose(read, { confidence: 0.8 }))).toMatchObject({ value, confidence: 0.4 });
    // Surely read, it stays as it is printed.
    expect(asThird(dose(read))).toMatchObject({ value: read, confidence: 0.5 });
  });

  it('that a stroke has cut is one', () => {
    expect(asThird(dose(0.666, { doubt: 'crossed' }))).toMatchObject({ value: 0.6667, doubt: 'crossed' });
    expect(asThird(dose(0.666, { confidence: 0.6 })).value).toBe(0.6667);
  });

  it('with a border through one digit, read twice, has four places', () => {
    expect(asThird(dose(0.66667, { confidence: 0.5 })).value).toBe(0.6667);
    expect(asThird(dose(0.66667)).value).toBe(0.66667);
  });

  it.each([0.1667, 0.8333, 0.33, 0.333, 0.3333, 0.67, 0.667, 0.6667, 0.666, 0.6666, 0.66, 0.35, 3.3, 33, 0.3])(
    'stays: %d',
    (read) => {
      const printed = dose(read);
      expect(asThird(printed)).toBe(printed);
    },
  );

  it.each([
    [3333, 0.3333],
    [6667, 0.6667],
  ])('that lost its 0 and its point has them again, doubted: %d', (read, value) => {
    expect(withZero(dose(read, { confidence: 0.8 }))).toMatchObject({ value, confidence: 0.4 });
    expect(withZero(dose(read))).toMatchObject({ value: read, confidence: 0.5 });
  });

  it.each([333, 3000, 1, 66667])('is not a whole number else: %d', (read) => {
    const printed = dose(read);
    expect(withZero(printed)).toBe(printed);
  });
});
