import { describe, expect, it } from 'vitest';
import { reviewNote } from '../../../../functions/extraction/domain/judging/review-notes.ts';
import { InMemoryDrugMaster } from '../../../../functions/extraction/domain/master/in-memory-drug-master.ts';
import { encodeMaster, openMaster } from '../../../../functions/extraction/domain/master/master-file.ts';
import { layered, ownListFinding, ownMaster } from '../../../../functions/extraction/domain/master/own-list.ts';
import { drugMaster } from '../../../helpers/drug-table.ts';

const NOW = '2026-11-27T00:00:00.000Z';
const TODAY = '2026-11-27';
const official = drugMaster({
  '640000010': [
    '가람정5mg',
    [
      { from: '2025-01-01', krw: 100 },
      { from: '2026-06-01', krw: 90 },
    ],
    ['640000000'],
  ],
  '640000020': ['나래정', 50],
});
const own = (...rows: readonly (readonly string[])[]) =>
  new InMemoryDrugMaster(openMaster(encodeMaster(ownMaster([['code', 'name', 'price', 'from'], ...rows], NOW))));

describe('a list of one workspace on top of the official one', () => {
  it('adds house codes as sheets print them, in any case', () => {
    const master = layered(official, own(['aug500', '오구멘틴정', '350', '2026-01-01']));
    expect(master.find('AUG500')).toMatchObject({ name: '오구멘틴정', prices: [{ krw: 350 }] });
    expect(master.find('640000020')).toEqual(official.find('640000020'));
    expect(master.find('nothing')).toBeNull();
  });

  it('replaces the name, and the price from its own first day on', () => {
    const master = layered(official, own(['640000010', '가람', '80', '2026-01-01']));
    const drug = master.find('640000010')!;
    expect(drug.name).toBe('가람');
    expect(drug.prices.map(({ from, krw }) => [from, krw])).toEqual([
      ['2025-01-01', 100],
      ['2026-01-01', 80],
    ]);
    expect(master.findByOldCode('640000000')).toEqual([drug]);
  });

  it('takes a price without a date for one that has always held, and leaves prices alone where it gives none', () => {
    const rows = [
      ['제품코드', '제품명', '상한금액'],
      ['640000010', '가람정5mg', '80'],
      ['640000020', '나래', ''],
    ];
    const list = new InMemoryDrugMaster(openMaster(encodeMaster(ownMaster(rows, NOW))));
    const master = layered(official, list);
    expect(master.find('640000010')!.prices.map(({ krw }) => krw)).toEqual([80]);
    expect(master.find('640000020')!.prices).toEqual(official.find('640000020')!.prices);
  });

  it('says where it contradicts the official list, and nothing where it agrees or is alone', () => {
    const list = own(
      ['640000010', '가람정5mg', '80', '2026-01-01'],
      ['640000020', '나래정', '50', '2026-01-01'],
      ['aug500', '오구멘틴정', '350', '2026-01-01'],
    );
    expect(reviewNote(ownListFinding('640000010', official, list, TODAY)!, 'en')).toMatch(
      /^own_list: .*640000010 the price 80, not 90/,
    );
    expect(ownListFinding('640000020', official, list, TODAY)).toBeNull();
    expect(ownListFinding('aug500', official, list, TODAY)).toBeNull();
  });

  it('suggests a drug once', () => {
    const master = layered(official, own(['640000010', '가람정5mg', '80', '2026-01-01']));
    expect(master.suggest('가람정5mg', 5).map(({ code }) => code)).toEqual(['640000010']);
  });
});
