import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyList } from '../../../../functions/extraction/domain/master/apply-list.ts';
import {
  decodeMaster,
  encodeMaster,
  type MasterData,
} from '../../../../functions/extraction/domain/master/master-file.ts';
import { priceInForce } from '../../../../functions/extraction/domain/master/price-history.ts';
import type { PriceList } from '../../../../functions/extraction/domain/master/price-list.ts';

const list = (date: string, prices: Record<string, number>): PriceList => ({
  date,
  drugs: new Map(
    Object.entries(prices).map(([code, krw]) => [
      code,
      { code, name: `약${code} ${date}`, maker: '제약', unit: '1정', oldCodes: [], krw },
    ]),
  ),
});
const historyOf = (data: MasterData, code: string) => data.drugs.find((drug) => drug.code === code)?.prices;

const january = list('2026-01-01', { '640000010': 100, '640000020': 200, '640000030': 300 });
const june = list('2026-06-01', { '640000010': 110, '640000020': 200, '640000040': 400 });

describe('applyList', () => {
  it('begins a master', () => {
    const { data, changes } = applyList(null, january);
    expect(changes).toEqual({ added: 3, changed: 0, delisted: 0, unchanged: 0 });
    expect(historyOf(data, '640000010')).toEqual([{ from: '2026-01-01', krw: 100, listed: true }]);
  });

  it('enters new drugs, changed prices and drugs that left', () => {
    const { data, changes } = applyList(applyList(null, january).data, june);
    expect(changes).toEqual({ added: 1, changed: 1, delisted: 1, unchanged: 1 });
    expect(historyOf(data, '640000010')).toEqual([
      { from: '2026-01-01', krw: 100, listed: true },
      { from: '2026-06-01', krw: 110, listed: true },
    ]);
    expect(historyOf(data, '640000020')).toEqual([{ from: '2026-01-01', krw: 200, listed: true }]);
    expect(historyOf(data, '640000030')).toEqual([
      { from: '2026-01-01', krw: 300, listed: true },
      { from: '2026-06-01', krw: null, listed: false },
    ]);
    expect(historyOf(data, '640000040')).toEqual([{ from: '2026-06-01', krw: 400, listed: true }]);
  });

  it('gives the same master when a list is entered twice', () => {
    const once = applyList(applyList(null, january).data, june);
    const twice = applyList(once.data, june);
    expect(twice.data).toEqual(once.data);
    expect(twice.changes).toEqual({ added: 0, changed: 0, delisted: 0, unchanged: 3 });
  });

  it('corrects a date when another list is entered for it', () => {
    const wrong = list('2026-06-01', { '640000010': 999, '640000020': 200, '640000030': 300 });
    const { data } = applyList(applyList(applyList(null, january).data, wrong).data, june);
    const right = applyList(applyList(null, january).data, june).data;
    expect(data.drugs.map(({ prices }) => prices)).toEqual(right.drugs.map(({ prices }) => prices));
  });

  it('lets a drug come back', () => {
    const later = list('2026-11-01', { '640000010': 110, '640000020': 200, '640000030': 290 });
    const { data } = applyList(applyList(applyList(null, january).data, june).data, later);
    expect(historyOf(data, '640000030')?.map(({ krw }) => krw)).toEqual([300, null, 290]);
  });

  it('keeps the newest wording when an older list is entered later', () => {
    const { data } = applyList(applyList(null, june).data, january);
    expect(data.drugs.find(({ code }) => code === '640000010')?.name).toBe('약640000010 2026-06-01');
    expect(data.drugs.find(({ code }) => code === '640000030')?.name).toBe('약640000030 2026-01-01');
  });

  it('refuses a part of a list, unless forced', () => {
    const known = applyList(null, january).data;
    const part = list('2026-06-01', { '640000010': 100 });
    expect(() => applyList(known, part)).toThrow(/lacks 2 of the 3 drugs.*--force/);
    expect(applyList(known, part, { force: true }).changes.delisted).toBe(2);
  });

  it('answers, for every date, with the price of that date list, in whatever order lists are entered', () => {
    const dates = ['2026-01-01', '2026-03-01', '2026-05-01', '2026-07-01'];
    const prices = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 3 }), { minKeys: 1 });
    void fc.assert(
      fc.property(
        fc.tuple(prices, prices, prices, prices),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        (all, order) => {
          const lists = all.map((drugs, i) => list(dates[i]!, drugs));
          let data: MasterData | null = null;
          for (const i of order) data = applyList(data, lists[i]!, { force: true }).data;
          for (const { date, drugs } of lists)
            for (const code of ['a', 'b', 'c']) {
              const inForce = priceInForce(historyOf(data!, code) ?? [], date)?.krw ?? null;
              expect(inForce).toBe(drugs.get(code)?.krw ?? null);
            }
          expect(decodeMaster(encodeMaster(data!))).toEqual(data);
        },
      ),
    );
  });
});
