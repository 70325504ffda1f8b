import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InMemoryDrugMaster } from '../../../../functions/extraction/domain/master/in-memory-drug-master.ts';
import {
  encodeMaster,
  type MasterData,
  openMaster,
} from '../../../../functions/extraction/domain/master/master-file.ts';

const sample = await inventedMaster();

import { INVENTED_MASTER, inventedMaster } from '../../../helpers/invented-master.ts';

const INFO = { version: '2026-11-01', dates: [], source: '', attribution: '' };
const open = (data: MasterData) => new InMemoryDrugMaster(openMaster(encodeMaster(data)));
const csv = readFileSync(INVENTED_MASTER, 'utf8').trim().split('\n').slice(1);

describe('the invented list', () => {
  it('holds at least 300 drugs under valid company prefixes', () => {
    expect(sample.size).toBeGreaterThanOrEqual(300);
    for (const line of csv) expect(line).toMatch(/^(0[5-9]\d\d|62\d\d|6[4-9]\d\d)\d{5},/);
  });

  it('has price histories and drugs that left the list', () => {
    const histories = csv.map((line) => sample.find(line.slice(0, 9))!.prices);
    expect(histories.some((prices) => prices.length > 2)).toBe(true);
    expect(histories.some((prices) => prices.at(-1)!.krw === null)).toBe(true);
  });
});

describe('InMemoryDrugMaster', () => {
  it('finds every drug by its code, and nothing else', () => {
    for (const line of csv) {
      const [code, name, maker, unit] = line.split(',');
      expect(sample.find(code!)).toMatchObject({ code, name, maker, unit });
    }
    expect(sample.find('000000000')).toBeNull();
    expect(sample.find('')).toBeNull();
  });

  it('knows the date of its newest list', () => {
    expect(sample.info.version).toBe('2026-11-01');
    expect(open({ info: { ...INFO, version: '2026-05-01' }, drugs: [] }).info.version).toBe('2026-05-01');
  });

  it('finds the drugs that an old code has become, none for a code that was never one', () => {
    const drug = { name: '가람정', maker: '', unit: '1 정', prices: [] };
    const master = open({
      info: INFO,
      drugs: [
        { ...drug, code: '640000011', oldCodes: ['640000010'] },
        { ...drug, code: '640000012', oldCodes: ['640000010', 'A01508421'] },
      ],
    });
    const found = (code: string) => master.findByOldCode(code).map((drug) => drug.code);
    expect(found('640000010')).toEqual(['640000011', '640000012']);
    expect(found('A01508421')).toEqual(['640000012']);
    expect(found('640000011')).toEqual([]);
  });

  it('suggests the right drug for a name with two misread letters', () => {
    const names = new Map(csv.map((line) => [line.slice(0, 9), line.split(',')[1]!]));
    let right = 0;
    for (const [code, name] of names) {
      const misread = name.replace('(', '(ㅁ').replace(/^(.)./, '$1걔');
      const [best] = sample.suggest(misread, 3);
      if (best?.code === code) right++;
    }
    expect(right / names.size).toBeGreaterThan(0.9);
  });

  it('puts the printed strength before other strengths of the brand', () => {
    const name = sample.find(csv[0]!.slice(0, 9))!.name;
    const [best, ...others] = sample.suggest(name, 5);
    expect(best).toMatchObject({ name, score: 1 });
    for (const other of others) expect(other.score).toBeLessThan(1);
  });

  it('suggests nothing for a text that is not a drug name', () => {
    for (const name of ['', '합계', '본인부담금', 'ABCDEFG', '서울특별시 강남구 테헤란로'])
      expect(sample.suggest(name, 3)).toEqual([]);
  });
});
