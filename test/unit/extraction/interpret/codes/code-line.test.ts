import { describe, expect, it } from 'vitest';
import { codeOfLine } from '../../../../../functions/extraction/domain/interpret/codes/code-line.ts';

describe('codeOfLine', () => {
  it.each([
    ['650100010', '650100010'],
    ['(650100010)', '650100010'],
    ['[ 8806501000103 ]', '8806501000103'],
    ['[650100010]V2', '650100010'],
    ['(650100010) 1', '650100010'],
    ['[650100010] 비급여', '650100010'],
    ['650100010 급여', '650100010'],
    ['1650100010', '650100010'],
    ['[6501000101', '650100010'],
    ['「0574027001', '057402700'],
    ['4060502690', '060502690'],
    ['12650100010', '650100010'],
  ])('finds the code of %s', (text, code) => {
    expect(codeOfLine({ text, confidence: 1 })?.text).toBe(code);
  });

  it('finds that of the numerals’ reading, doubted, where a digit was read as another sign', () => {
    const numeral = (text: string) => ({ text, confidence: 0.5 });
    const read = { text: '07090K0790', confidence: 0.5 };
    expect(codeOfLine({ ...read, numeral: numeral('070900790') })).toEqual({ text: '070900790', confidence: 0.25 });
    expect(codeOfLine({ ...read, numeral: numeral('0709000790') })).toBeNull();
    expect(codeOfLine({ text: '가나정650mgA', confidence: 1, numeral: numeral('650100010') })).toBeNull();
  });

  it.each([
    ['a name', '가나정5mg'],
    ['a code and a name', '[650100010]가나정5mg'],
    ['a code without brackets and what follows it', '650100010 V2'],
    ['an order number', '6501000'],
    ['ten digits that no bracket before a code was read as', '1250100010'],
  ])('finds none in %s', (_, text) => {
    expect(codeOfLine({ text, confidence: 1 })).toBeNull();
  });
});
