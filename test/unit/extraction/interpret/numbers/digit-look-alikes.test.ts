import { describe, expect, it } from 'vitest';
import { withLastZero } from '../../../../../functions/extraction/domain/interpret/numbers/digit-look-alikes.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

const cell = (text: string) => readTable([[{ text, numeral: text.replace(/\D/g, ''), confidence: 1 }]]).cells[0]!;

describe('a count that ends in a round letter', () => {
  it.each([
    ['3C', '30'],
    ['6(', '60'],
    ['-3O', '30'],
    ['1U', '10'],
    ['12Q', '120'],
  ])('ends in 0, with a doubt: %s', (text, count) => {
    const { text: read, numeral } = withLastZero(cell(text));
    expect([read, numeral]).toEqual([
      { text: count, confidence: 0.5 },
      { text: count, confidence: 0.5 },
    ]);
  });

  it.each(['3', '30', '3일', '3D', '3T', 'C', '3 CC', 'A3C', ''])('stays as it is: "%s"', (text) => {
    const printed = cell(text);
    expect(withLastZero(printed)).toBe(printed);
  });
});
