import { describe, expect, it } from 'vitest';
import { maskedTexts, maskResidentNumbers } from '../../../functions/shared/resident-numbers.ts';

describe('maskResidentNumbers', () => {
  it.each([
    ['환자 홍길동 900101-1234567 입니다', '환자 홍길동 900101-******* 입니다'],
    ['주민번호900101-1234567이고', '주민번호900101-*******이고'],
    ['9001011234567', '900101-*******'],
    ['900101 1234567', '900101 *******'],
    ['900101 - 5234567', '900101 - *******'],
    ['900101–7234567, 851231-2345678', '900101–*******, 851231-*******'],
  ])('masks the last seven digits in %j', (text, masked) => {
    expect(maskResidentNumbers(text)).toBe(masked);
  });

  it.each([
    ['a drug’s barcode', '8806429021234'],
    ['a number without a date of birth', '901301-1234567'],
    ['a longer number', '19001011234567'],
    ['a telephone number', '02-1234-5678'],
    ['a number within a word', 'A9001011234567'],
    ['a number that is masked already', '900101-1******'],
  ])('leaves %s as it is', (_what, text) => {
    expect(maskResidentNumbers(text)).toBe(text);
  });
});

it('maskedTexts masks all texts of a value, and no content of a file', () => {
  const value = { a: ['900101-1234567', 7], image: 'data:text/plain,900101-1234567', none: null };
  expect(maskedTexts(value)).toEqual({ ...value, a: ['900101-*******', 7] });
});
