import { describe, expect, it } from 'vitest';
import { lookAlikes, masterOf } from '../../../bench/look-alikes.ts';

const drug = {
  code: '641600170',
  name: '가나정5밀리그램',
  maker: '다라제약',
  unit: '1정',
  prices: [{ from: '2026-01-01', krw: 112 }],
};

describe('lookAlikes', () => {
  it('lists every code one digit apart, each as another strength at the same price', () => {
    const found = [...lookAlikes([drug], new Set([drug.code]))];
    expect(found).toHaveLength(81);
    for (const { code, name, prices } of found) {
      expect([...code].filter((digit, i) => digit !== drug.code[i])).toHaveLength(1);
      expect(name).not.toBe(drug.name);
      expect(name).toMatch(/^가나정\d밀리그램$/);
      expect(prices).toEqual(drug.prices);
    }
  });

  it('invents no code that is taken, and none twice', () => {
    const sister = { ...drug, code: '641600180' };
    const found = [...lookAlikes([drug, sister], new Set([drug.code, sister.code, '641600190']))];
    const codes = found.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).not.toContain('641600190');
    expect(codes).not.toContain(sister.code);
    expect(masterOf([drug, sister, ...found]).find('641600970')?.name).toBe('가나정9밀리그램');
  });
});
