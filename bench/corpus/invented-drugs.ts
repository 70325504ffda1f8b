import type { CorpusDrug, CorpusMaster, PricedUnit } from './master.ts';
import { Random } from './random.ts';
import { SPLITS, type Split } from './truth.ts';
import { DOSAGE_FORMS, MAKER_SUFFIXES, UNIT_WORDS, VOCABULARIES } from './vocabulary.ts';

const FIRST_LIST = '2024-01-01';
const LATER_LISTS = [
  '2024-07-01',
  '2025-01-01',
  '2025-05-01',
  '2025-09-01',
  '2026-01-01',
  '2026-04-01',
  '2026-09-01',
  '2026-11-01',
];
/** As many as the published list has, so that a misread digit hits another real code as often as it would. */
const DRUGS_PER_SPLIT = 11_000;

/** Invented drugs of both splits. */
export function inventedMaster(): CorpusMaster {
  const random = new Random('corpus master');
  const prefixes = random.shuffled(companyPrefixes());
  const byCode = new Map<string, CorpusDrug>();
  const drugs = { tuned: [] as CorpusDrug[], untuned: [] as CorpusDrug[] };
  for (const split of SPLITS) {
    const makers = VOCABULARIES[split].makerStems.flatMap((stem) =>
      random
        .shuffled(MAKER_SUFFIXES)
        .slice(0, 3)
        .map((suffix) => ({ name: stem + suffix, prefix: prefixes.pop()!, item: random.int(1, 30) })),
    );
    const brands = brandNames(split, random);
    while (drugs[split].length < DRUGS_PER_SPLIT) {
      const maker = random.pick(makers);
      for (const drug of family(random, brands.pop()!, maker, VOCABULARIES[split].ingredients)) {
        drugs[split].push(drug);
        byCode.set(drug.code, drug);
      }
    }
  }
  return { names: 'invented', drugs, byCode };
}

/** An invented list's data on a drug apart from its code, maker and prices. */
interface InventedName {
  readonly brand: string;
  readonly form: string;
  readonly strength: string;
  readonly unit: string;
  readonly ingredient: string;
  readonly pack: string;
  readonly pricedUnit: PricedUnit;
}

/** Names of one unit as printed behind a drug's name. */
const ADDITIONS: Readonly<Record<PricedUnit, string>> = {
  정: '/1정',
  캡슐: '/1캡슐',
  포: '/1포',
  mL: '/1cc',
  병: '/1병',
  g: '/1개',
  관: '/1개',
};

function inventedDrug(
  { brand, form, strength, unit, ingredient, pack, pricedUnit }: InventedName,
  { code, maker, prices }: Pick<CorpusDrug, 'code' | 'maker' | 'prices'>,
): CorpusDrug {
  return {
    code,
    brand,
    head: `${brand}${form}${strength}${UNIT_WORDS[unit] ?? unit}`,
    brackets: `(${ingredient})`,
    pack: `_(${pack})`,
    strength,
    maker,
    unit: `1${pricedUnit}`,
    pricedUnit,
    addition: ADDITIONS[pricedUnit],
    route: pricedUnit === '병' ? '주사' : /g|관/.test(pricedUnit) ? '외용' : '내복',
    listed: true,
    prices,
  };
}

interface Maker {
  readonly name: string;
  readonly prefix: string;
  item: number;
}

/** One brand: one form, one to three strengths with neighbouring item numbers. */
function* family(random: Random, brand: string, maker: Maker, ingredients: readonly string[]): Generator<CorpusDrug> {
  const weights = Object.fromEntries(DOSAGE_FORMS.map((form, i) => [String(i), form.weight]));
  const dosage = DOSAGE_FORMS[Number(random.weighted(weights))]!;
  const form = random.pick(dosage.names);
  const unit = random.pick(dosage.units);
  const ingredient = random.chance(0.07)
    ? `${random.pick(ingredients)}·${random.pick(ingredients)}`
    : random.pick(ingredients);
  const [low, high] = dosage.priceKrw;
  let krw = low * (high / low) ** (random.next() ** 1.1);
  const strengths = random
    .shuffled(dosage.strengths)
    .slice(0, random.int(1, 3))
    .sort((a, b) => a - b);
  for (const amount of strengths) {
    maker.item += random.int(1, 4);
    const lastDigit = random.chance(0.9) ? 0 : random.int(1, 9);
    const strength = random.chance(0.05) ? `${amount}/${random.pick(dosage.strengths)}` : String(amount);
    const { pricedUnit } = dosage;
    const pack = unit === '%' ? `1${pricedUnit}` : `${strength}${unit}/1${pricedUnit}`;
    yield inventedDrug(
      { brand, form, strength, unit, ingredient, pack, pricedUnit },
      {
        code: `${maker.prefix}${String(maker.item * 10 + lastDigit).padStart(5, '0')}`,
        maker: maker.name,
        prices: priceHistory(random, Math.round(krw)),
      },
    );
    krw *= random.between(1.1, 1.7);
  }
}

function priceHistory(random: Random, firstKrw: number): CorpusDrug['prices'] {
  const prices: { from: string; krw: number | null }[] = [{ from: FIRST_LIST, krw: firstKrw }];
  const changes = random.chance(0.6) ? 0 : random.int(1, 3);
  let krw = firstKrw;
  for (const from of random.shuffled(LATER_LISTS).slice(0, changes).sort()) {
    const next = Math.max(3, Math.round(krw * random.between(0.8, 0.98)));
    if (next !== krw) prices.push({ from, krw: next });
    krw = next;
  }
  if (random.chance(0.02)) prices.push({ from: '2026-11-15', krw: null });
  return prices;
}

function brandNames(split: Split, random: Random): string[] {
  const { brandHeads, brandTails } = VOCABULARIES[split];
  const names = brandHeads.flatMap((head) => brandTails.map((tail) => head + tail));
  // A second word keeps the invented names as long and as similar to each other as real ones are.
  const longer = brandHeads.flatMap((head) =>
    brandTails.flatMap((tail) => ['에스', '알', '디', '원', '듀오'].map((end) => head + tail + end)),
  );
  return [...random.shuffled(longer), ...random.shuffled(names)];
}

/** The ranges that company numbers of the standard code are in. */
function companyPrefixes(): string[] {
  const ranges = [
    [500, 999],
    [6200, 6299],
    [6400, 6999],
  ] as const;
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String(first + i).padStart(4, '0')),
  );
}
