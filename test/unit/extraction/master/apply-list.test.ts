import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ApplyOptions, applyList } from '../../../../functions/extraction/domain/master/apply-list.ts';
import type { ListedRow, PublishedList } from '../../../../functions/extraction/domain/master/list-rows.ts';
import {
  decodeMaster,
  encodeMaster,
  type MasterData,
} from '../../../../functions/extraction/domain/master/master-file.ts';
import { withShipped } from '../../../../functions/extraction/domain/master/merge-masters.ts';
import { priceInForce } from '../../../../functions/extraction/domain/master/price-history.ts';

const TODAY = '2026-11-27';
const SKIPPED = { headings: 0, repeated: 0, withoutCode: 0, wrong: [] };

interface MonthlyList {
  readonly date: string;
  readonly list: PublishedList;
}

const rowOf = (code: string, over: Partial<ListedRow> = {}): ListedRow => ({
  row: 2,
  code,
  name: `약${code}`,
  maker: '제약',
  unit: '1 정',
  oldCodes: [],
  newCode: null,
  price: null,
  from: null,
  ...over,
});
const list = (date: string, prices: Record<string, number | null>): MonthlyList => ({
  date,
  list: {
    form: 'monthly',
    titleDate: null,
    skipped: SKIPPED,
    rows: Object.entries(prices).map(([code, krw]) =>
      rowOf(code, { name: `약${code} ${date}`, price: { krw, listed: true } }),
    ),
  },
});
const other = (form: 'history' | 'names', rows: readonly ListedRow[]): PublishedList => ({
  form,
  titleDate: null,
  skipped: SKIPPED,
  rows,
});
const enter = (known: MasterData | null, { date, list }: MonthlyList, options: Partial<ApplyOptions> = {}) =>
  applyList(known, list, { date, today: TODAY, ...options });
const historyOf = (data: MasterData, code: string) => data.drugs.find((drug) => drug.code === code)?.prices;

const january = list('2026-01-01', { '640000010': 100, '640000020': 200, '640000030': 300 });
const june = list('2026-06-01', { '640000010': 110, '640000020': 200, '640000040': 400 });

describe('applyList', () => {
  it('starts a master', () => {
    const { data, changes } = enter(null, january);
    expect(changes).toEqual({ added: 3, changed: 0, ended: 0, unchanged: 0 });
    expect(historyOf(data, '640000010')).toEqual([{ from: '2026-01-01', krw: 100, listed: true }]);
  });

  it('enters new drugs, changed prices and drugs that left', () => {
    const { data, changes } = enter(enter(null, january).data, june);
    expect(changes).toEqual({ added: 1, changed: 1, ended: 1, unchanged: 1 });
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
    const once = enter(enter(null, january).data, june);
    const twice = enter(once.data, june);
    expect(twice.data).toEqual(once.data);
    expect(twice.changes).toEqual({ added: 0, changed: 0, ended: 0, unchanged: 3 });
  });

  it('corrects a date when another list is entered for it', () => {
    const wrong = list('2026-06-01', { '640000010': 999, '640000020': 200, '640000030': 300 });
    const { data } = enter(enter(enter(null, january).data, wrong).data, june);
    const right = enter(enter(null, january).data, june).data;
    expect(data.drugs.map(({ prices }) => prices)).toEqual(right.drugs.map(({ prices }) => prices));
  });

  it('lets a drug come back', () => {
    const later = list('2026-11-01', { '640000010': 110, '640000020': 200, '640000030': 290 });
    const { data } = enter(enter(enter(null, january).data, june).data, later);
    expect(historyOf(data, '640000030')?.map(({ krw }) => krw)).toEqual([300, null, 290]);
  });

  it('keeps the newest wording when an older list is entered later', () => {
    const { data } = enter(enter(null, june).data, january);
    expect(data.drugs.find(({ code }) => code === '640000010')?.name).toBe('약640000010 2026-06-01');
    expect(data.drugs.find(({ code }) => code === '640000030')?.name).toBe('약640000030 2026-01-01');
  });

  it('refuses a part of a list, unless forced', () => {
    const known = enter(null, january).data;
    const part = list('2026-06-01', { '640000010': 100 });
    expect(() => enter(known, part)).toThrow(/lacks 2 of the 3 drugs.*640000020 약640000020.*--partial.*--force/);
    const { changes, ended } = enter(known, part, { force: true });
    expect([changes.ended, ended.map(({ code }) => code)]).toEqual([2, ['640000020', '640000030']]);
  });

  it('leaves drugs that a partial list lacks as they are', () => {
    const known = enter(null, january).data;
    const { data, changes } = enter(known, list('2026-06-01', { '640000010': 110 }), { partial: true });
    expect(changes).toEqual({ added: 0, changed: 1, ended: 0, unchanged: 2 });
    expect(historyOf(data, '640000010')?.at(-1)).toEqual({ from: '2026-06-01', krw: 110, listed: true });
    expect(historyOf(data, '640000030')).toEqual(historyOf(known, '640000030'));
    expect(data.info.dates).toEqual(['2026-01-01']);
  });

  it('keeps a drug without a price on the list, and one that leaves it off', () => {
    const { data } = enter(enter(null, january).data, list('2026-06-01', { '640000010': null, '640000020': 200 }));
    expect(historyOf(data, '640000010')?.at(-1)).toEqual({ from: '2026-06-01', krw: null, listed: true });
    expect(historyOf(data, '640000030')?.at(-1)).toEqual({ from: '2026-06-01', krw: null, listed: false });
  });

  it('adds a history between the lists, which hold on their own days', () => {
    const known = enter(enter(null, january).data, june).data;
    const history = other('history', [
      rowOf('640000010', { from: '2025-01-01', price: { krw: 90, listed: true } }),
      rowOf('640000010', { from: '2026-03-01', price: { krw: 105, listed: true } }),
      rowOf('640000090', { from: '2025-01-01', price: { krw: 900, listed: true } }),
    ]);
    const { data, changes } = applyList(known, history, { today: TODAY });
    expect(changes).toEqual({ added: 1, changed: 1, ended: 0, unchanged: 3 });
    expect(historyOf(data, '640000010')?.map(({ from, krw }) => [from, krw])).toEqual([
      ['2025-01-01', 90],
      ['2026-01-01', 100],
      ['2026-03-01', 105],
      ['2026-06-01', 110],
    ]);
    expect(historyOf(data, '640000090')?.map(({ from, krw }) => [from, krw])).toEqual([
      ['2025-01-01', 900],
      ['2026-01-01', null],
    ]);
    expect(data.info).toMatchObject({ version: '2026-06-01', dates: ['2026-01-01', '2026-06-01'] });
  });

  it('takes names and codes from a list of names, and leaves prices and known names as they are', () => {
    const known = enter(null, january).data;
    const names = other('names', [
      rowOf('640000010', { name: '가람정 포장', oldCodes: ['A01508421'] }),
      rowOf('640000050', { name: '비급여정' }),
    ]);
    const { data, changes } = applyList(known, names, { today: TODAY });
    expect(changes).toMatchObject({ added: 1, ended: 0 });
    expect(data.drugs.find(({ code }) => code === '640000010')).toMatchObject({
      name: '약640000010 2026-01-01',
      oldCodes: ['A01508421'],
      prices: [{ from: '2026-01-01', krw: 100, listed: true }],
    });
    expect(data.drugs.find(({ code }) => code === '640000050')).toMatchObject({ name: '비급여정', prices: [] });
    expect(data.info).toEqual(known.info);
  });

  it('makes the code before a transfer an old code of the one after it', () => {
    const history = other('history', [
      rowOf('640000010', { from: '2025-01-01', price: { krw: 90, listed: true }, newCode: '641000010' }),
      rowOf('641000010', { from: '2026-01-01', price: { krw: 90, listed: true } }),
    ]);
    const { data } = applyList(null, history, { today: TODAY });
    expect(data.drugs.map(({ code, oldCodes }) => [code, oldCodes])).toEqual([
      ['640000010', []],
      ['641000010', ['640000010']],
    ]);
  });

  it('knows a list of next month without letting it hold before its day', () => {
    const next = list('2026-12-01', { '640000010': 95, '640000020': 200, '640000030': 300 });
    const { data } = enter(enter(null, january).data, next);
    const krwOn = (date: string) => priceInForce(historyOf(data, '640000010')!, date)?.krw;
    expect([krwOn(TODAY), krwOn('2026-12-01')]).toEqual([100, 95]);
  });

  it('starts from the shipped list, and puts its history below imports without it', () => {
    const shipped = applyList(
      null,
      other('history', [
        rowOf('640000010', { from: '2020-01-01', price: { krw: 80, listed: true } }),
        rowOf('640000020', { from: '2020-01-01', price: { krw: 70, listed: true } }),
      ]),
      { today: TODAY },
    ).data;
    const base = { ...shipped, info: { ...shipped.info, source: 'shipped', attribution: 'licence' } };
    expect(withShipped(null, base)).toBe(base);
    const imported = enter(null, list('2026-01-01', { '640000010': 100 })).data;
    const data = withShipped(imported, base);
    expect(data.info).toEqual({
      version: '2026-01-01',
      dates: ['2026-01-01'],
      source: 'shipped',
      attribution: 'licence',
    });
    expect(historyOf(data, '640000010')?.map(({ krw }) => krw)).toEqual([80, 100]);
    expect(historyOf(data, '640000020')?.map(({ krw }) => krw)).toEqual([70, null]);
    expect(withShipped(data, base)).toBe(data);
  });

  it("answers, for every date, with the price of that date's list, in any order of entry", () => {
    const dates = ['2026-01-01', '2026-03-01', '2026-05-01', '2026-07-01'];
    const prices = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 3 }), { minKeys: 1 });
    void fc.assert(
      fc.property(
        fc.tuple(prices, prices, prices, prices),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        (all, order) => {
          const lists = all.map((prices, i) => ({ prices, ...list(dates[i]!, prices) }));
          let data: MasterData | null = null;
          for (const i of order) data = enter(data, lists[i]!, { force: true }).data;
          for (const { date, prices } of lists)
            for (const code of ['a', 'b', 'c']) {
              const inForce = priceInForce(historyOf(data!, code) ?? [], date)?.krw ?? null;
              expect(inForce).toBe(prices[code] ?? null);
            }
          expect(decodeMaster(encodeMaster(data!))).toEqual(data);
        },
      ),
    );
  });
});
