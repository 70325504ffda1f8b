import { describe, expect, it } from 'vitest';
import type { LineReading } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { readingOnColumnRule, surerReading } from '../../../../functions/extraction/domain/reading/surer-reading.ts';

describe('print that was read twice', () => {
  it('reads as the surer of both says', () => {
    expect(surerReading(read('가나정', 0.4), read('가나점', 0.9), 1).text).toEqual({ text: '가나점', confidence: 0.9 });
    expect(surerReading(read('0.5', 0.9), read('_0,5.', 0.4), 1).numeral).toEqual({ text: '0.5', confidence: 0.9 });
  });

  it('is doubted as far as the other one shows another number', () => {
    expect(surerReading(read('0', 0.9), read('10', 0.8), 1).numeral.confidence).toBeCloseTo(0.18);
    expect(surerReading(read('15', 0.3), read('1.5', 0.9), 1).numeral).toMatchObject({ text: '1.5' });
    expect(surerReading(read('15', 0.3), read('1.5', 0.9), 1).numeral.confidence).toBeCloseTo(0.63);
  });

  it('reads as the number that fills its place, where the rule has taken a digit of the other', () => {
    const days = (length: number) => surerReading(read('4', 0.9), read('14', 0.8), length).numeral;
    expect(days(1.5).text).toBe('14');
    expect(days(1.5).confidence).toBeCloseTo(0.08);
    expect(days(0.8).text).toBe('4');
  });

  it('reads as the whole code, from which the rule has taken a digit in the middle', () => {
    const [clean, onRule] = [read('67990130 가나정5mg', 0.5), read('679901390 가나점5mg', 0.2)];
    expect(surerReading(clean, onRule, 6).text.text).toBe('679901390 가나점5mg');
    expect(surerReading(clean, onRule, 6).text.confidence).toBeCloseTo(0.1);
  });

  it('reads as the whole code if a blank is in the place of a digit', () => {
    expect(surerReading(read('0964400 5', 0.9), read('096440065', 0.5), 1).text.text).toBe('096440065');
  });

  it.each([
    ['other digits', '67990230 가나정', '679901390 가나정'],
    ['more digits than a code has', '679901390 가나정', '6799013901 가나정'],
  ])('reads as without the rule where that shows %s', (_, clean, onRule) => {
    expect(surerReading(read(clean, 0.5), read(onRule, 0.2), 6).text.text).toBe(clean);
  });
});

describe('print on a rule down the page', () => {
  it('reads as with the rule, which has taken its last or its first digit', () => {
    expect(readingOnColumnRule(read('06520039', 0.99), read('065200390', 0.98)).text.text).toBe('065200390');
    expect(readingOnColumnRule(read('06820236(', 0.97), read('068202360', 0.9)).text.text).toBe('068202360');
    expect(readingOnColumnRule(read('5201240', 0.9), read('05201240', 0.8)).numeral.confidence).toBe(0.8);
  });

  it('reads as a whole code, doubted, though its last digit may be the rule', () => {
    const { text, confidence } = readingOnColumnRule(read('69390157', 0.9), read('693901571', 0.8)).text;
    expect(text).toBe('693901571');
    expect(confidence).toBeCloseTo(0.08);
  });

  it('reads as ten, doubted, where only a zero is clear of the rule: nothing is given 0 times', () => {
    expect(readingOnColumnRule(read('0', 0.9), read('10', 0.8)).numeral).toMatchObject({ text: '10' });
    expect(readingOnColumnRule(read('0', 0.9), read('10', 0.8)).numeral.confidence).toBeCloseTo(0.08);
  });

  it('does not read the rule as a digit', () => {
    expect(readingOnColumnRule(read('065200390', 0.9), read('0652003901', 0.8)).text.text).toBe('065200390');
    expect(readingOnColumnRule(read('2', 0.9), read('72', 0.8)).text.text).toBe('2');
  });
});

function read(text: string, confidence: number): LineReading {
  return { text: { text, confidence }, numeral: { text, confidence } };
}
