import { describe, expect, it } from 'vitest';
import { checkLine, type ListedDrug } from '../../../console/src/pages/review/check-line.ts';
import {
  confirmed,
  corrected,
  correctedValues,
  type Item,
  parsedValue,
  type Values,
} from '../../../console/src/pages/review/decisions.ts';

const item: Item = {
  drugCode: '640000010',
  drugName: '가람정',
  quantity: 2,
  days: 7,
  prescribedQty: 14,
  unitPrice: 112,
  totalAmount: 1568,
  codeInMaster: true,
  suggestedDrugCode: null,
  priceCheck: 'current',
  status: 'GREEN',
  needsReview: false,
  review: [],
};
const drug: ListedDrug = { code: '640000010', name: '가람정', maker: '', unit: '', priceKrw: 112, listed: true };

const check = (values: Values, listed: ListedDrug | null = drug, read = item) =>
  checkLine(read, { ...correctedValues(read, undefined), ...values }, listed);
const objections = (...line: Parameters<typeof check>) =>
  check(...line).objections.map(({ kind, expected }) => [kind, expected]);

describe('the light of a corrected line', () => {
  it('is green where code, price and products agree', () => {
    expect(check({})).toEqual({ light: 'GREEN', objections: [] });
    expect(check({ quantity: 1, days: 14, prescribedQty: 28, totalAmount: 3136 }).light).toBe('GREEN');
    expect(check({ quantity: null, days: null }, drug, { ...item, quantity: null, days: null }).light).toBe('GREEN');
  });

  it('is red for a code that the list does not have, and yellow for a drug that has left it', () => {
    expect(objections({}, null)).toEqual([['codeUnknown', null]]);
    expect(check({}, null).light).toBe('RED');
    expect(objections({ drugCode: null }, null)).toEqual([['codeMissing', null]]);
    expect(check({}, { ...drug, priceKrw: null, listed: false }).light).toBe('YELLOW');
  });

  it('is red for another price than the list’s, and yellow where it is a former one as it was read', () => {
    expect(objections({ unitPrice: 118 })).toEqual([
      ['price', 112],
      ['amount', 1652],
    ]);
    const former: Item = { ...item, unitPrice: 100, totalAmount: 1400, priceCheck: 'historical' };
    expect(check({}, drug, former).light).toBe('YELLOW');
    expect(check({ unitPrice: 101, totalAmount: 1414 }, drug, former).light).toBe('RED');
  });

  it('is red where the numbers do not multiply, with the product', () => {
    expect(objections({ totalAmount: 1500 })).toEqual([['amount', 1568]]);
    expect(objections({ prescribedQty: 15, totalAmount: 1680 })).toEqual([['quantity', 14]]);
    expect(check({ totalAmount: 1500 }).light).toBe('RED');
  });

  it('is yellow where a value was emptied', () => {
    expect(check({ totalAmount: null })).toMatchObject({ light: 'YELLOW', objections: [{ kind: 'emptied' }] });
  });
});

describe('a typed value', () => {
  it.each([
    ['1,250', 1250],
    [' 0.5 ', 0.5],
    ['', null],
  ])('%j is %j', (text, value) => {
    expect(parsedValue('quantity', text, false)).toEqual({ value });
  });

  it.each(['abc', '1e5', '0x10', '1,2', '--1', '1.', 'NaN', 'Infinity'])('%j is not a number', (text) => {
    expect(parsedValue('quantity', text, true)).toEqual({ fault: 'noNumber' });
  });

  it('is below zero only on a page of returned drugs, and days never are', () => {
    for (const text of ['-5', '−5']) {
      expect(parsedValue('quantity', text, false)).toEqual({ fault: 'negative' });
      expect(parsedValue('quantity', text, true)).toEqual({ value: -5 });
      expect(parsedValue('days', text, true)).toEqual({ fault: 'negative' });
    }
  });
});

describe('a decision', () => {
  const before = corrected(undefined, { quantity: 3 });

  it('that confirms a line, or takes a code, keeps earlier corrections', () => {
    expect(confirmed(before)).toBe(before);
    expect(confirmed({ decision: 'not_a_line', values: {} })).toEqual({ decision: 'accepted', values: {} });
    expect(corrected(before, { drugCode: '1' })).toEqual({
      decision: 'corrected',
      values: { quantity: 3, drugCode: '1' },
    });
  });
});
