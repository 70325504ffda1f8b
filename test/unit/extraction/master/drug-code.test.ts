import { describe, expect, it } from 'vitest';
import { gs1CheckDigit, toDrugCode } from '../../../../functions/extraction/domain/master/drug-code.ts';

describe('toDrugCode', () => {
  it('takes nine digits as they are, leading zero included', () => {
    expect(toDrugCode('073400340')).toEqual({ lookup: '073400340', form: 'insurance', checkDigitHolds: null });
  });

  it('finds the insurance code in digits 4 to 12 of a standard code and checks its check digit', () => {
    const twelve = '880073400340';
    const right = `${twelve}${gs1CheckDigit(twelve)}`;
    expect(toDrugCode(right)).toEqual({ lookup: '073400340', form: 'standard', checkDigitHolds: true });
    const wrong = `${twelve}${(Number(right[12]) + 1) % 10}`;
    expect(toDrugCode(wrong)).toMatchObject({ lookup: '073400340', checkDigitHolds: false });
  });

  it('restores the zero that a spreadsheet ate', () => {
    expect(toDrugCode('73400340')).toMatchObject({ lookup: '073400340', form: 'zero-restored' });
  });

  it('leaves old alphanumeric codes alone', () => {
    expect(toDrugCode('A04500271')).toMatchObject({ lookup: 'A04500271', form: 'other' });
    expect(toDrugCode('1234567890123')).toMatchObject({ lookup: '1234567890123', form: 'other' });
  });
});

describe('gs1CheckDigit', () => {
  // Published examples of GS1: EAN-13 4006381333931 and 5901234123457.
  it.each([
    ['400638133393', '1'],
    ['590123412345', '7'],
  ])('of %s is %s', (digits, checkDigit) => {
    expect(gs1CheckDigit(digits)).toBe(checkDigit);
  });
});
