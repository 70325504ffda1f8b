import { describe, expect, it } from 'vitest';
import type { LineReading } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { readingOnColumnRule, surerReading } from '../../../../functions/extraction/domain/reading/surer-reading.ts';

describe('print that was read twice', () => {
  it('reads as the surer of both says', () => {
    expect(surerReading(read('가나정', 0.4), read('가나점', 0.9)).text).toEqual({ text: '가나점', confidence: 0.9 });
    expect(surerReading(read('0.5', 0.9), read('_0,5.', 0.4)).numeral).toEqual({ text: '0.5', confidence: 0.9 });
  });

  it('is doubted as far as the other one shows another number', () => {
    expect(surerReading(read('0', 0.9), read('10', 0.8)).numeral.confidence).toBeCloseTo(0.18);
    expect(surerReading(read('15', 0.3), read('1.5', 0.9)).numeral).toMatchObject({ text: '1.5' });
    expect(surerReading(read('15', 0.3), read('1.5', 0.9)).numeral.confidence).toBeCloseTo(0.63);
  });
});

describe('print on a rule down the page', () => {
  it('reads as with the rule, which has taken its last or its first digit', () => {
    expect(readingOnColumnRule(read('06520039', 0.99), read('065200390', 0.98)).text.text).toBe('065200390');
    expect(readingOnColumnRule(read('06820236(', 0.97), read('068202360', 0.9)).text.text).toBe('068202360');
    expect(readingOnColumnRule(read('5201240', 0.9), read('05201240', 0.8)).numeral.confidence).toBe(0.8);
  });

  it('does not read the rule as a digit', () => {
    expect(readingOnColumnRule(read('065200390', 0.9), read('0652003901', 0.8)).text.text).toBe('065200390');
    expect(readingOnColumnRule(read('2', 0.9), read('72', 0.8)).text.text).toBe('2');
  });
});

function read(text: string, confidence: number): LineReading {
  return { text: { text, confidence }, numeral: { text, confidence } };
}
