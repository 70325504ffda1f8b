import { describe, expect, it } from 'vitest';
import { partGluedNumbers } from '../../../../../functions/extraction/domain/interpret/numbers/glued-numbers.ts';

const printOf = (text: string) => {
  const box = { x: 100, y: 10, width: 120, height: 12 };
  return { text, confidence: 0.99, numeral: { text, confidence: 0.99 }, box, cell: null, table: null, line: null };
};

describe('numbers of two columns that run into each other', () => {
  it('are two, each in the place of its digits, and doubted', () => {
    const parts = partGluedNumbers(printOf('6.00002.0000'));
    expect(parts.map(({ text, box }) => [text, box.x, box.width])).toEqual([
      ['6.0000', 100, 60],
      ['2.0000', 160, 60],
    ]);
    for (const { confidence } of parts) expect(confidence).toBeLessThan(0.6);
    expect(partGluedNumbers(printOf('.50000.3333')).map(({ text }) => text)).toEqual(['.5000', '0.3333']);
    expect(partGluedNumbers(printOf('1.002.00')).map(({ text }) => text)).toEqual(['1.00', '2.00']);
  });

  it.each(['1.0000', '10.250', '1.00.0000', '2019.01.18', '0.66671'])('%s is one print', (text) => {
    expect(partGluedNumbers(printOf(text))).toHaveLength(1);
  });
});
