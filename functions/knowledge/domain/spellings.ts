import { LOANWORDS, type Loanword } from './loanwords.ts';
import { withoutParticle } from './terms.ts';

const byHangul = new Map(LOANWORDS.flatMap((row) => row.hangul.map((spelling) => [spelling, row] as const)));
const byLatin = new Map(LOANWORDS.map((row) => [row.latin, row]));

/** Longest first: 웹훅 is not 웹. A single syllable within a word is mostly a part of another word. */
const LONG_HANGUL = new RegExp(
  [...byHangul.keys()]
    .filter((spelling) => spelling.length > 1)
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'gu',
);
const HANGUL_RUN = /[\uac00-\ud7a3]+/gu;
const LATIN_RUN = /[A-Za-z]+/g;
const SYLLABLE_WITH_PARTICLE = /^.[은는이가을를에의와과도로만]$/u;
const BETWEEN_WORDS = /(?<=\p{Ll})(?=\p{Lu})/u;

/** A word of a question with its loanwords in other spellings: in Latin letters, and in each other Hangul spelling. */
export function otherSpellings(word: string): readonly string[] {
  const spelled = word.normalize('NFKC');
  const hangul = [...spelled.matchAll(HANGUL_RUN)].flatMap(([run]) =>
    loanwordsIn(run).map((found) => ({ run, found })),
  );
  const latin = hangul.map(({ found }) => byHangul.get(found)!.latin).join(' ');
  const others = hangul.flatMap(({ run, found }) =>
    byHangul
      .get(found)!
      .hangul.filter((spelling) => spelling !== found)
      .map((spelling) => run.replace(found, spelling)),
  );
  const spoken = [...spelled.matchAll(LATIN_RUN)].flatMap(([run]) => rowsOf(run)).flatMap((row) => row.hangul);
  return [...new Set([latin, ...others, ...spoken])].filter((spelling) => spelling !== '');
}

function loanwordsIn(run: string): readonly string[] {
  const long = [...run.matchAll(LONG_HANGUL)].map(([found]) => found);
  const first = run[0]!;
  const isWord = withoutParticle(run) === first || SYLLABLE_WITH_PARTICLE.test(run);
  const isFirst = byHangul.has(first) && (isWord || long.some((found) => run.startsWith(found, 1)));
  return isFirst ? [first, ...long] : long;
}

function rowsOf(run: string): readonly Loanword[] {
  const words = [run, ...run.split(BETWEEN_WORDS)].map((word) => word.toLowerCase());
  return [...new Set(words)].flatMap((word) => byLatin.get(word) ?? byLatin.get(word.replace(/s$/, '')) ?? []);
}

const MISSPELLED = /^[a-z]{5,20}$/i;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Latin words that are one letter, or one swap of two letters, away from a word; none for short and for other words. */
export function* nearSpellings(word: string): Generator<string> {
  if (!MISSPELLED.test(word)) return;
  const lower = word.toLowerCase();
  for (let i = 0; i <= lower.length; i++) {
    const [before, after] = [lower.slice(0, i), lower.slice(i)];
    for (const letter of LETTERS) {
      yield before + letter + after;
      if (after !== '' && letter !== after[0]) yield before + letter + after.slice(1);
    }
    if (after !== '') yield before + after.slice(1);
    if (after.length > 1) yield before + after[1]! + after[0]! + after.slice(2);
  }
}
