import { describe, expect, it } from 'vitest';
import { type CorpusDrug, listedName, masterCsv, priceToday } from '../../../bench/corpus/master.ts';
import { Random } from '../../../bench/corpus/random.ts';
import { corpusDrug, realMaster } from '../../../bench/corpus/real-drugs.ts';
import { drugLines } from '../../../bench/corpus/sheet/drug-lines.ts';
import { LAYOUTS } from '../../../bench/corpus/sheet/layouts.ts';
import { numberStyle } from '../../../bench/corpus/sheet/numbers.ts';
import { isInjected, prescribedLines } from '../../../bench/corpus/sheet/prescribed-lines.ts';
import { adorned, type NameStyle, printedName, UNADORNED } from '../../../bench/corpus/sheet/printed-name.ts';
import { isField } from '../../../bench/corpus/sheet/sheet.ts';
import { SPLITS } from '../../../bench/corpus/truth.ts';
import { loadMaster } from '../../../functions/adapters/drug-master/master-bytes.ts';
import type { MasterDrug } from '../../../functions/extraction/domain/master/drug-master.ts';

const NAMES: readonly (readonly [name: string, unit: string])[] = [
  ['무코스타정(레바미피드)_(0.1g/1정)', '1 정'],
  ['무코스타서방정150밀리그램(레바미피드)_(0.15g/1정)', '1 정'],
  ['트윈스타정40/5밀리그램_(1정)', '1 정'],
  ['자누메트정50/1000밀리그램_(1정)', '1 정'],
  ['아드반탄연고(메틸프레드니솔론아세포네이트)_(15mg/15g)', '15 g/개'],
  ['리브감마에스앤주10%(글리신첨가사람면역글로불린(pH4.9))_(10g/100mL)', '100 mL/병'],
  ['씬지록신정125마이크로그램(레보티록신나트륨수화물)_(0.125mg/1정)', '1 정'],
  ['옵디보주100mg(니볼루맙,유전자재조합)_(0.1g/10mL)', '10 mL/병'],
  ['코담시럽_(20mL/포(스틱))', '20 mL/포(스틱)'],
  ['인다에드원캡슐(수출명:Inda "S")(프라수그렐)_', '1 캡슐'],
  ['산소 93', '1 L'],
  ['솝튼정(티자니딘염산염)_(1.144mg/1정)', '1 정'],
];

function listed(
  name: string,
  unit: string,
  index = 0,
  prices: MasterDrug['prices'] = [{ from: '2024-01-01', krw: 112, listed: true }],
) {
  return { code: String(640_000_010 + 10 * index), name, maker: '', unit, oldCodes: [`A0${index}`], prices };
}

const list = NAMES.map(([name, unit], index) => listed(name, unit, index));
/** Enough brands for both splits. */
const long = Array.from({ length: 400 }, (_, index) =>
  listed(
    `${['가', '나', '다', '라', '마'][index % 5]}${String.fromCharCode(0xac00 + 28 * index)}니드정(레바미피드)_(0.1g/1정)`,
    '1 정',
    100 + index,
  ),
);
const master = realMaster([...list, ...long]);

const drugOf = (start: string): CorpusDrug => corpusDrug(list.find(({ name }) => name.startsWith(start))!);
const printed = (start: string, style: Partial<NameStyle>) =>
  printedName(new Random('name'), drugOf(start), { ...UNADORNED, parts: 'short', unit: 'latin', ...style });

describe('corpusDrug', () => {
  it('keeps every letter of a listed name', () => {
    for (const drug of [...list, ...long]) expect(listedName(corpusDrug(drug))).toBe(drug.name);
  });

  it('finds the strength, and the brand that strengths and forms share', () => {
    expect(drugOf('트윈스타')).toMatchObject({
      head: '트윈스타정40/5밀리그램',
      brackets: '',
      pack: '_(1정)',
      strength: '40/5',
    });
    expect(drugOf('무코스타정')).toMatchObject({ brand: '무코스타', strength: '' });
    expect(drugOf('무코스타서방정')).toMatchObject({ brand: '무코스타', strength: '150' });
    expect(drugOf('리브감마').brackets).toBe('(글리신첨가사람면역글로불린(pH4.9))');
  });

  it('knows how a drug is given and what its dose is counted in', () => {
    const facts = ['무코스타정', '아드반탄', '옵디보', '코담'].map((start) => {
      const { route, pricedUnit, addition } = drugOf(start);
      return [route, pricedUnit, addition];
    });
    expect(facts).toEqual([
      ['내복', '정', '/1정'],
      ['외용', 'g', '/15g/개'],
      ['주사', '병', '/10mL/병'],
      ['내복', '포', '/20mL/포'],
    ]);
  });
});

describe('printedName', () => {
  it('prints real names as papers do', () => {
    expect([
      printed('무코스타정', { parts: 'listed', unit: 'words' }),
      printed('무코스타정', {}),
      printed('무코스타정', { strengthOfPack: true }),
      printed('무코스타정', { strengthOfPack: true, parts: 'spaced' }),
      printed('무코스타서방정', { strengthOfPack: true }),
      printed('솝튼정', { strengthOfPack: true }),
      printed('트윈스타', { addition: 'unit' }),
      printed('자누메트', { addition: 'both' }),
      printed('아드반탄', { addition: 'both' }),
      printed('씬지록신', { unit: 'latin', parts: 'withoutPack' }),
      printed('자누메트', { unit: 'square' }),
    ]).toEqual([
      '무코스타정(레바미피드)_(0.1g/1정)',
      '무코스타정',
      '무코스타정100mg',
      '무코스타정 100mg (레바미피드)',
      '무코스타서방정150mg',
      '솝튼정',
      '트윈스타정40/5mg/1정',
      '자누메트정50/1000mg(내복)/1정',
      '아드반탄연고(외용)/15g/개',
      '씬지록신정125mcg(레보티록신나트륨수화물)',
      '자누메트정50/1000㎎',
    ]);
  });

  it('prints a maker before or behind the name of most lines', () => {
    const drug = { ...drugOf('무코스타정'), maker: '한국오츠카제약(주)' };
    for (const maker of ['before', 'behind'] as const) {
      const style: NameStyle = { ...UNADORNED, parts: 'short', unit: 'latin', maker };
      const names = Array.from({ length: 40 }, (_, index) => printedName(new Random(`${maker} ${index}`), drug, style));
      expect(new Set(names.map((name) => name.replace(/[([](?:오츠카|한국오츠카제약)[)\]]/, '*')))).toEqual(
        new Set(['무코스타정', maker === 'before' ? '*무코스타정' : '무코스타정*']),
      );
    }
  });

  it('prints additions behind the maker, and no unit behind the whole name of the list', () => {
    expect(printed('무코스타정', { maker: 'behind', addition: 'both' })).toMatch(
      /^무코스타정(?:[([].+[)\]])?\(내복\)\/1정$/,
    );
    const whole: NameStyle = { ...UNADORNED, parts: 'listed', unit: 'words' };
    const additions = Array.from(
      { length: 60 },
      (_, index) => adorned(new Random(`${index}`), master, whole, 0.8).addition,
    );
    expect(new Set(additions)).toEqual(new Set(['none', 'route']));
  });

  it('leaves invented names as they are', () => {
    const style: NameStyle = { ...UNADORNED, parts: 'short', unit: 'latin' };
    expect(adorned(new Random('style'), { ...master, names: 'invented' }, style, 1)).toBe(style);
  });
});

describe('realMaster', () => {
  it('gives no brand of one split to the other', () => {
    const tuned = new Set(master.drugs.tuned.map(({ brand }) => brand));
    expect(master.drugs.untuned.length).toBeGreaterThan(100);
    expect(master.drugs.untuned.filter(({ brand }) => tuned.has(brand))).toEqual([]);
  });

  it('draws about one in seven drugs that the list does not hold', () => {
    const codes = new Set([...list, ...long].map(({ code }) => code));
    for (const split of SPLITS) {
      const drugs = master.drugs[split];
      const strangers = drugs.filter((drug) => !drug.listed);
      expect(strangers.length / drugs.length).toBeCloseTo(0.15, 1);
      expect(strangers.filter(({ code }) => codes.has(code))).toEqual([]);
    }
  });

  it('prints no drug before its first price, and the price of the day next to future ones', () => {
    const prices = [
      { from: '2025-01-01', krw: 200, listed: true },
      { from: '2028-06-01', krw: 100, listed: true },
    ];
    const later = realMaster([
      listed('무코스타정_(1정)', '1 정', 0, prices),
      listed('레바미정_(1정)', '1 정', 1, prices.slice(1)),
    ]);
    const drugs = [...later.drugs.tuned, ...later.drugs.untuned].filter((drug) => drug.listed);
    expect(drugs.map(({ brand }) => brand)).toEqual(['무코스타']);
    expect(priceToday(drugs[0]!)).toBe(200);
  });

  it('is written as a list that the service loads, without the drugs that are not listed', async () => {
    const loaded = await loadMaster(new TextEncoder().encode(masterCsv(master.byCode.values())));
    expect(loaded.size).toBe(list.length + long.length);
    for (const { code, name, unit } of list) expect(loaded.find(code)).toMatchObject({ name, unit });
  });
});

describe('lines of real drugs', () => {
  const strangers = new Set([...master.byCode.values()].filter((drug) => !drug.listed).map(({ code }) => code));

  it('deserve no GREEN where the list does not hold the drug', () => {
    const layout = LAYOUTS.find(({ id }) => id === 'dose-list')!;
    const columns = new Set(layout.columns.map(({ kind }) => kind).filter(isField));
    const random = new Random('real lines');
    const style = { ...UNADORNED, parts: 'short', unit: 'latin' } as const;
    const lines = drugLines(random, master, 'untuned', 300, {
      layout,
      columns,
      numbers: numberStyle(random),
      names: style,
      zerosEaten: false,
      faulty: true,
    });
    const unlisted = lines.filter(({ errors }) => errors.includes('drug_unlisted'));
    expect(unlisted.length).toBeGreaterThan(20);
    for (const { item, expectation, suggestedDrugCode } of unlisted) {
      expect(strangers.has(item.drugCode!)).toBe(true);
      expect(suggestedDrugCode).toBeNull();
      expect(expectation).toEqual({ codeInMaster: false, priceCheck: 'none', status: 'RED' });
    }
  });

  it('are known on prescriptions exactly where the list holds the drug', () => {
    const style = {
      names: { ...UNADORNED, parts: 'short', unit: 'latin' },
      unknownShare: 0,
      codes: true,
      fractions: false,
    } as const;
    const lines = prescribedLines(new Random('real'), master, 'untuned', 200, style, (drug) => !isInjected(drug));
    expect(lines.some(({ known }) => !known)).toBe(true);
    for (const { code, known } of lines) expect(known).toBe(!strangers.has(code!));
  });
});
