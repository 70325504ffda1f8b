import { describe, expect, it } from 'vitest';
import { masterOf, withLookAlikes } from '../../../bench/look-alikes.ts';

const drug = {
  code: '641600170',
  name: '가나정5밀리그램',
  maker: '다라제약',
  unit: '1정',
  oldCodes: [],
  prices: [{ from: '2026-01-01', krw: 112, listed: true }],
};

const codesOneDigitApart = (code: string) =>
  [...code].flatMap((old, at) =>
    [...'0123456789'].filter((digit) => digit !== old).map((digit) => code.slice(0, at) + digit + code.slice(at + 1)),
  );

describe('withLookAlikes', () => {
  it('lists every code one digit apart, each as another strength at the same price', () => {
    const master = withLookAlikes(masterOf([drug]), [drug.code]);
    expect(master.size).toBe(82);
    expect(master.find(drug.code)?.name).toBe(drug.name);
    for (const code of codesOneDigitApart(drug.code)) {
      const sister = master.find(code);
      expect(sister?.name).toMatch(/^가나정\d밀리그램$/);
      expect(sister?.name).not.toBe(drug.name);
      expect(sister?.prices).toEqual(drug.prices);
    }
  });

  it('leaves listed drugs as they are, and unknown what the pages print as unknown', () => {
    const neighbour = { ...drug, code: '641600180', name: '다라캡슐' };
    const master = withLookAlikes(masterOf([drug, neighbour]), [drug.code, '641600190']);
    expect(master.find(neighbour.code)?.name).toBe('다라캡슐');
    expect(master.find('641600190')).toBeNull();
  });

  it('knows drugs that a sheet prints by their standard code', () => {
    const master = withLookAlikes(masterOf([drug]), ['8806416001700']);
    expect(master.find('641600171')).not.toBeNull();
  });

  it('suggests listed drugs before their sisters', () => {
    const master = withLookAlikes(masterOf([drug]), [drug.code]);
    expect(master.suggest(drug.name, 2)[0]).toMatchObject({ code: drug.code, score: 1 });
  });
});
