import { describe, expect, it } from 'vitest';
import { parseNumeral, textField } from '../../../../functions/extraction/domain/interpret/cell-values.ts';

describe('parseNumeral', () => {
  it.each([
    ['1,234', 'whole', 1234],
    ['1.234', 'whole', 1234],
    ['1,234.567', 'whole', 1234567],
    ['12.345.678', 'whole', 12345678],
    ['1234', 'whole', 1234],
    ['0.5', 'thousands', 0.5],
    ['1.5', 'thousands', 1.5],
    ['1.25', 'decimal', 1.25],
    ['1.000', 'decimal', 1],
    ['0.500', 'decimal', 0.5],
    ['1.000', 'thousands', 1000],
    ['1,000', 'decimal', 1],
    ['12,345', 'thousands', 12345],
    ['1,234.5', 'thousands', 1234.5],
    ['2,643.000', 'decimal', 2643],
    ['2.643.000', 'decimal', 2643],
    ['2,643,000', 'thousands', 2643000],
    ['-3', 'whole', -3],
  ] as const)('%s as %s is %d', (numeral, style, value) => {
    expect(parseNumeral(numeral, style)?.value).toBe(value);
  });

  it('trusts a form that no number has less', () => {
    expect(parseNumeral('1,23', 'whole')!.confidence).toBeLessThan(1);
    expect(parseNumeral('12,34,5', 'whole')!.confidence).toBeLessThan(1);
    expect(parseNumeral('0,5', 'thousands')!.confidence).toBeLessThan(1);
  });

  it('makes no number of nothing', () => {
    expect(parseNumeral('', 'whole')).toBeNull();
    expect(parseNumeral('-', 'whole')).toBeNull();
  });
});

describe('textField', () => {
  it('tidies blanks, and keeps the rivals of each letter and letters beyond the basic plane', () => {
    const text = ' 가  나😀다 ';
    const cell = {
      row: 0,
      column: 0,
      rowSpan: 1,
      columnSpan: 1,
      box: { x: 0, y: 0, width: 9, height: 9 },
      blank: false,
    };
    const rivals = [...text].flatMap((letter) => (letter === '나' ? ['너'] : letter === '😀' ? ['', ''] : ['']));
    const field = textField({ ...cell, text: { text, confidence: 1, rivals }, numeral: null });
    expect([field.value, field.rivals]).toEqual(['가 나😀다', ['', '', '너', '', '', '']]);
  });
});
