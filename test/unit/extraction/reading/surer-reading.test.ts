import { describe, expect, it } from 'vitest';
import type { LineReading } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { surerReading } from '../../../../functions/extraction/domain/reading/surer-reading.ts';

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

function read(text: string, confidence: number): LineReading {
  return { text: { text, confidence }, numeral: { text, confidence } };
}
