import { describe, expect, it } from 'vitest';
import {
  doseStyle,
  quantityStyles,
  writtenStyle,
} from '../../../../../functions/extraction/domain/interpret/numbers/quantity-style.ts';

describe('writtenStyle', () => {
  it.each([
    [['1.000', '0.500', '2.000'], 'decimal'],
    [['1.000', '2.000', '3.000'], 'decimal'],
    [['100.000'], 'decimal'],
    [['1.000', '500', '90'], 'thousands'],
    [['1,000'], 'thousands'],
    [['1,000', '2.000', '3,000'], 'thousands'],
    [['1', '0.5', ''], 'thousands'],
  ])('of %j is %s', (numerals, style) => {
    expect(writtenStyle(numerals)).toBe(style);
  });
});

describe('doseStyle', () => {
  it.each([
    [['1', '1.000', '1.000', '0.5'], 'thousands'],
    [['1', '1.000', '1.000', '2.000'], 'decimal'],
    [['1,000', '500'], 'thousands'],
  ])('of %j is %s', (numerals, style) => {
    expect(doseStyle(numerals)).toBe(style);
  });
});

describe('quantityStyles', () => {
  it('takes commas in a column of three decimals for points when the amounts say so', () => {
    const lines = [
      { prescribedQty: '522,000', unitPrice: '1,000', totalAmount: '522,000' },
      { prescribedQty: '9,000', unitPrice: '75', totalAmount: '675' },
      { prescribedQty: '12.000', unitPrice: '10', totalAmount: '120' },
    ];
    expect(quantityStyles(lines).prescribedQty).toBe('decimal');
  });

  it('takes points for commas when the amounts say so', () => {
    const lines = [
      { quantity: '1.200', unitPrice: '10', totalAmount: '12.000' },
      { quantity: '2.000', unitPrice: '7', totalAmount: '14.000' },
      { quantity: '3.500', unitPrice: '2', totalAmount: '7.000' },
    ];
    expect(quantityStyles(lines).quantity).toBe('thousands');
  });

  it('decides the two columns apart', () => {
    const lines = [
      { quantity: '1.000', days: '3', prescribedQty: '3', unitPrice: '100', totalAmount: '300' },
      { quantity: '2.000', days: '1', prescribedQty: '2', unitPrice: '50', totalAmount: '100' },
    ];
    expect(quantityStyles(lines)).toEqual({ quantity: 'decimal', prescribedQty: 'thousands' });
  });

  it('keeps the written styles if the products are inconclusive', () => {
    const lines = [{ quantity: '1.000' }, { quantity: '2.000' }, { quantity: '3.000' }];
    expect(quantityStyles(lines)).toEqual({ quantity: 'decimal', prescribedQty: 'thousands' });
    expect(quantityStyles([{ quantity: '1,000', unitPrice: '2', totalAmount: '9' }]).quantity).toBe('thousands');
    expect(quantityStyles([])).toEqual({ quantity: 'thousands', prescribedQty: 'thousands' });
  });
});
