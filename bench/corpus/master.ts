import { Random } from './random.ts';
import { SPLITS, type Split } from './truth.ts';
import { DOSAGE_FORMS, type DosageForm, MAKER_SUFFIXES, UNIT_WORDS, VOCABULARIES } from './vocabulary.ts';

/** The day on which every page is judged. */
export const CORPUS_TODAY = '2026-11-21';

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

export interface CorpusDrug {
  readonly code: string;
  readonly brand: string;
  readonly form: string;
  readonly strength: string;
  readonly unit: string;
  readonly ingredient: string;
  readonly pack: string;
  readonly maker: string;
  readonly dosage: DosageForm;
  /** Ascending by date; null from the date on which the drug left the list. */
  readonly prices: readonly { readonly from: string; readonly krw: number | null }[];
}

export interface CorpusMaster {
  readonly drugs: Readonly<Record<Split, readonly CorpusDrug[]>>;
  readonly byCode: ReadonlyMap<string, CorpusDrug>;
}

/** The drug list that all pages of a corpus are written against: the drugs of both splits. */
export function corpusMaster(): CorpusMaster {
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
  return { drugs, byCode };
}

export function priceToday(drug: CorpusDrug): number | null {
  return drug.prices.at(-1)!.krw;
}

/** The name as the list prints it. */
export function listedName(drug: CorpusDrug): string {
  const unit = drug.unit.includes('단위') ? drug.unit : (UNIT_WORDS[drug.unit] ?? drug.unit);
  return `${drug.brand}${drug.form}${drug.strength}${unit}(${drug.ingredient})_(${drug.pack})`;
}

/** The list in the importer's columns: code, name, maker, unit, price, from; one line a price. */
export function masterCsv(drugs: Iterable<CorpusDrug>): string {
  const lines = ['code,name,maker,unit,price,from'];
  for (const drug of [...drugs].sort((a, b) => (a.code < b.code ? -1 : 1)))
    for (const { from, krw } of drug.prices)
      lines.push([drug.code, listedName(drug), drug.maker, `1${drug.dosage.pricedUnit}`, krw ?? '', from].join(','));
  return `${lines.join('\n')}\n`;
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
    yield {
      code: `${maker.prefix}${String(maker.item * 10 + lastDigit).padStart(5, '0')}`,
      brand,
      form,
      strength,
      unit,
      ingredient,
      pack: unit === '%' ? `1${dosage.pricedUnit}` : `${strength}${unit}/1${dosage.pricedUnit}`,
      maker: maker.name,
      dosage,
      prices: priceHistory(random, Math.round(krw)),
    };
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

/** The ranges that company numbers of the standard code lie in. */
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
