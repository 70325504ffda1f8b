import { createHash } from 'node:crypto';
import { foldName } from '../../functions/extraction/domain/master/name-parts.ts';
import type { CorpusDrug, CorpusMaster, MisprintKind } from './master.ts';
import { Random } from './random.ts';

const FIRST_SYLLABLE = 0xac00;
const VOWELS = 21;
const FINALS = 28;
const LATIN = 'ABCDEFGHKLMNPRSTUVXYZ';

/**
 * The same drugs, every `every`-th of them with a mistyped name: a third of these have the name of another listed drug, the
 * others one other syllable, digit or Latin letter. Pages are drawn alike with and without misprints, except for these names.
 */
export function withMisprints(master: CorpusMaster, every: number): CorpusMaster {
  const listed = [...new Set(master.byCode.values())].filter((drug) => drug.listed);
  const brands = Map.groupBy(listed, ({ brand }) => brand);
  const misprinted = (drug: CorpusDrug): CorpusDrug => {
    const random = new Random(`misprint ${drug.code}`);
    if (hashOf(drug.code) % every !== 0) return drug;
    return (random.chance(1 / 3) ? otherDrug(random, drug, brands, listed) : null) ?? mistyped(random, drug) ?? drug;
  };
  const { tuned, untuned } = master.drugs;
  return { ...master, drugs: { tuned: tuned.map(misprinted), untuned: untuned.map(misprinted) } };
}

/** Whether a print, perhaps cut by its column, reaches the misprinted letter. */
export function showsMisprint({ misprint }: CorpusDrug, printed: string): boolean {
  return misprint !== undefined && foldName(printed).includes(foldName(misprint.prefix));
}

function hashOf(code: string): number {
  return createHash('sha256').update(`misprint ${code}`).digest().readUInt32BE(0);
}

/** A sister product if the brand has one, else any other. */
function otherDrug(
  random: Random,
  drug: CorpusDrug,
  brands: ReadonlyMap<string, readonly CorpusDrug[]>,
  listed: readonly CorpusDrug[],
): CorpusDrug | null {
  const isOther = (other: CorpusDrug) => prefixOf(drug.head, other.head) !== null;
  const sisters = (brands.get(drug.brand) ?? []).filter(isOther);
  const other = sisters.length > 0 ? random.pick(sisters) : random.pick(listed);
  const prefix = prefixOf(drug.head, other.head);
  if (prefix === null) return null;
  const { head, brackets, pack, strength } = other;
  return { ...drug, head, brackets, pack, strength, misprint: { kind: 'other-drug', head: drug.head, prefix } };
}

function mistyped(random: Random, drug: CorpusDrug): CorpusDrug | null {
  const kinds = Object.entries(KINDS).map(([kind, pattern]) => ({
    kind: kind as MisprintKind,
    places: [...drug.head].flatMap((letter, at) => (pattern.test(letter) ? at : [])),
  }));
  const { kind, places } = random.pick(kinds.filter((each) => each.places.length > 0));
  const head = mistypedAt(random, drug.head, random.pick(places));
  const prefix = prefixOf(drug.head, head);
  return prefix === null ? null : { ...drug, head, misprint: { kind, head: drug.head, prefix } };
}

const KINDS = { syllable: /[가-힣]/, digit: /\d/, letter: /[a-z]/i };

/** A text with another syllable, digit or Latin letter at a place that holds one. */
export function mistypedAt(random: Random, text: string, at: number): string {
  const letter = text[at]!;
  const other = KINDS.syllable.test(letter)
    ? otherSyllable(random, letter)
    : KINDS.digit.test(letter)
      ? String((Number(letter) + random.int(1, 9)) % 10)
      : random.pick([...LATIN].filter((each) => each !== letter.toUpperCase()));
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** A syllable with another initial or vowel, as a slip of the hand or a mix-up makes. */
function otherSyllable(random: Random, syllable: string): string {
  const index = syllable.charCodeAt(0) - FIRST_SYLLABLE;
  const final = index % FINALS;
  const vowel = Math.floor(index / FINALS) % VOWELS;
  const initial = Math.floor(index / FINALS / VOWELS);
  // Plain initials and vowels only: all fonts have these syllables.
  const other = random.chance(0.5)
    ? [random.pick([0, 2, 3, 5, 6, 7, 9, 11, 12, 14, 15, 16, 17, 18].filter((each) => each !== initial)), vowel]
    : [initial, random.pick([0, 4, 8, 13, 18, 20].filter((each) => each !== vowel))];
  return String.fromCharCode(FIRST_SYLLABLE + (other[0]! * VOWELS + other[1]!) * FINALS + final);
}

/** A changed head up to its first wrong letter; null if it says the same, or less or more of the same. */
function prefixOf(head: string, changed: string): string | null {
  const at = [...changed].findIndex((letter, index) => letter !== head[index]);
  if (at < 0 || at >= head.length) return null;
  const prefix = changed.slice(0, at + 1);
  return foldName(head).includes(foldName(prefix)) ? null : prefix;
}
