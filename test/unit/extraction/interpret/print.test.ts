import { describe, expect, it } from 'vitest';
import { joinPrint } from '../../../../functions/extraction/domain/interpret/print.ts';

const piece = (text: string, x: number) => {
  const reading = { text, confidence: 0.999 };
  return { ...reading, numeral: /\d/.test(text) ? reading : null, box: { x, y: 0, width: 9, height: 12 } };
};

describe('pieces of one line', () => {
  it('are not a sure number where each is one by itself', () => {
    const joined = joinPrint(piece('1', 0), piece('3', 40), ' ');
    expect(joined).toMatchObject({ text: '1 3', numeral: null });
    expect(joined.confidence).toBeLessThanOrEqual(0.5);
    expect(joinPrint(joined, piece('90', 80), ' ').confidence).toBeLessThanOrEqual(0.5);
  });

  it('are as sure as they were read where one is a unit, or both are words', () => {
    const measured = joinPrint(piece('1', 0), piece('정', 12), '');
    expect(measured.numeral).toMatchObject({ text: '1', confidence: 0.999 });
    expect(measured.confidence).toBeGreaterThan(0.9);
    expect(joinPrint(piece('가온정', 0), piece('10mg', 40), ' ').confidence).toBeGreaterThan(0.9);
  });
});
