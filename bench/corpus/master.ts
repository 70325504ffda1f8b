import type { Split } from './truth.ts';

/** A drug whose name papers misprint: its code and prices are its own, its head is not the list's. */
export interface Misprint {
  readonly kind: MisprintKind;
  /** The listed head, and the misprinted one up to its first wrong letter. */
  readonly head: string;
  readonly prefix: string;
}

export type MisprintKind = 'syllable' | 'digit' | 'letter' | 'other-drug';

/** The day on which every page is judged. */
export const CORPUS_TODAY = '2026-11-21';

export interface CorpusDrug {
  readonly code: string;
  /** The word that its strengths and forms share. */
  readonly brand: string;
  /** Brand, form and strength, as the list writes them. */
  readonly head: string;
  /** Ingredients and remarks behind the head, each in its brackets; empty when there are none. */
  readonly brackets: string;
  /** The content of one unit, `_(5mg/1정)`; empty if the list does not state it. */
  readonly pack: string;
  /** Numbers of the strength, without their unit; empty when the head has none. */
  readonly strength: string;
  readonly maker: string;
  /** The priced quantity, as the list writes it: `1정`, `15 g/개`. */
  readonly unit: string;
  /** The unit in which a dose is counted. */
  readonly pricedUnit: PricedUnit;
  /** The unit that clinics print behind a name: `/1정`, `/15g/개`. */
  readonly addition: string;
  readonly route: '내복' | '외용' | '주사';
  /** False for drugs that the list does not hold: invented ones among real ones. */
  readonly listed: boolean;
  /** Present where pages misprint its name. */
  readonly misprint?: Misprint;
  /** Ascending by date; null from the date on which the drug left the list. */
  readonly prices: readonly { readonly from: string; readonly krw: number | null }[];
}

export type PricedUnit = '정' | '캡슐' | '포' | 'mL' | '병' | 'g' | '관';

export interface CorpusMaster {
  readonly names: 'real' | 'invented';
  /** Drugs that pages of a split print. */
  readonly drugs: Readonly<Record<Split, readonly CorpusDrug[]>>;
  /** All codes that are given to a drug, printed or not, or were before the list was renumbered. */
  readonly byCode: ReadonlyMap<string, CorpusDrug>;
}

export function priceToday({ prices }: CorpusDrug): number | null {
  return prices.findLast(({ from }) => from <= CORPUS_TODAY)?.krw ?? null;
}

/** The name as the list prints it. */
export function listedName({ head, brackets, pack }: CorpusDrug): string {
  return head + brackets + pack;
}

/** The list in the importer's columns: code, name, maker, unit, price, from; one line a price. */
export function masterCsv(drugs: Iterable<CorpusDrug>): string {
  const lines = ['code,name,maker,unit,price,from'];
  for (const drug of [...new Set(drugs)].sort((a, b) => (a.code < b.code ? -1 : 1))) {
    if (!drug.listed) continue;
    for (const { from, krw } of drug.prices)
      lines.push([drug.code, listedName(drug), drug.maker, drug.unit, String(krw ?? ''), from].map(csvField).join(','));
  }
  return `${lines.join('\n')}\n`;
}

function csvField(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
