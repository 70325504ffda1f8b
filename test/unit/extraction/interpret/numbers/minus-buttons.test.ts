import { describe, expect, it } from 'vitest';
import { areMinusButtons } from '../../../../../functions/extraction/domain/interpret/numbers/minus-buttons.ts';

describe('a minus before every number of a column', () => {
  it('is a button where all amounts are above zero', () => {
    expect(areMinusButtons(['-3', '-20'], ['6,300', '243,000'])).toBe(true);
  });

  it.each([
    ['a returned drug has such an amount', ['-3', '-20'], ['-6,300', '-243,000']],
    ['one number has none', ['-3', '20'], ['6,300', '243,000']],
    ['an amount was not read', ['-3', '-20'], ['6,300', '']],
    ['one row is not evidence', ['-3'], ['6,300']],
  ])('is a sign: %s', (_, counts, amounts) => {
    expect(areMinusButtons(counts, amounts)).toBe(false);
  });
});
