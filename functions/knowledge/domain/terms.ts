/**
 * Terms that texts are found by. Korean words change their ends and grow together, so that they are found by their pairs of
 * neighbouring syllables, and by the word without its particle; other words are found as they are. Terms are hashes: an
 * index holds numbers, and two words that share one of four billion are no more than a little noise.
 */
export type Term = number;

const WORD = /[\p{L}\p{M}\p{N}]+(?:[.,][\p{N}]+)*/gu;
/** Hangul, ideographs and kana, or anything else that words are made of. */
const RUN =
  /[\uac00-\ud7a3]+|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[^\uac00-\ud7a3\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+/gu;
const FIRST_HANGUL = 0xac00;
const LAST_HANGUL = 0xd7a3;
/** Longer runs are not words: their pairs are enough. */
const MAX_WORD_LENGTH = 40;

/** Particles and endings behind a noun, longest first. */
const PARTICLES = [
  ...['에서부터는', '으로부터는', '이라고는'],
  ...['에서부터', '으로부터', '에게서는', '까지만은', '이라면서', '입니다만'],
  ...[
    '에서는',
    '에게는',
    '으로는',
    '으로도',
    '까지는',
    '부터는',
    '에서도',
    '에게도',
    '이라고',
    '이라는',
    '입니다',
    '인가요',
    '이에요',
    '한테는',
    '라고는',
  ],
  ...[
    '에서',
    '에게',
    '으로',
    '까지',
    '부터',
    '처럼',
    '보다',
    '마다',
    '조차',
    '밖에',
    '이나',
    '이라',
    '라고',
    '라는',
    '한테',
    '께서',
    '하고',
    '이며',
    '이고',
    '인지',
    '인데',
    '들은',
    '들이',
    '들을',
    '들의',
    '에는',
    '에도',
    '와의',
    '과의',
    '로는',
    '로도',
    '만은',
    '만을',
    '예요',
    '이란',
  ],
  ...['은', '는', '이', '가', '을', '를', '에', '의', '와', '과', '도', '로', '만', '나', '란', '들', '며', '고', '인'],
];
const PARTICLES_BY_LENGTH: readonly ReadonlySet<string>[] = [0, 1, 2, 3, 4, 5].map(
  (length) => new Set(PARTICLES.filter((particle) => particle.length === length)),
);

/** Calls `add` with every term of a text, repeated ones too. @param isWord false for a pair of syllables. */
export function eachTerm(text: string, add: (term: Term, isWord: boolean) => void): void {
  for (const [word] of text.normalize('NFKC').matchAll(WORD))
    for (const [run] of word.matchAll(RUN)) {
      const first = run.charCodeAt(0);
      const isHangul = first >= FIRST_HANGUL && first <= LAST_HANGUL;
      const isIdeographic = !isHangul && first >= 0x3040 && first <= 0x9fff;
      if (!isHangul && !isIdeographic) {
        const spoken = withoutSeparators(run.toLowerCase());
        add(hash(spoken, WORD_SEED), true);
        for (const part of partsOf(run, spoken)) add(hash(part, WORD_SEED), false);
        continue;
      }
      for (let i = 0; i + 1 < run.length; i++) add(hash(run, PAIR_SEED, i, i + 2), false);
      if (run.length > MAX_WORD_LENGTH) continue;
      const stem = isHangul ? withoutParticle(run) : run;
      add(hash(stem, WORD_SEED), true);
    }
}

/** The Hangul word without the particle at its end, where at least one syllable, or two before a short one, is left. */
export function withoutParticle(word: string): string {
  for (let length = Math.min(5, word.length - 1); length >= 1; length--) {
    if (word.length - length < (length === 1 ? 2 : 1)) continue;
    if (PARTICLES_BY_LENGTH[length]!.has(word.slice(-length))) return word.slice(0, -length);
  }
  return word;
}

/** Words within a name that is written together, such as KeepAlive, and singulars: people ask about either form. */
function partsOf(run: string, spoken: string): readonly string[] {
  const named = JOINED.test(run) ? run.split(BETWEEN_WORDS).map((part) => part.toLowerCase()) : [];
  const words = named.filter((part) => part.length > 1);
  return [...words, ...[spoken, ...words].map(singular).filter((word) => word !== null)];
}

const JOINED = /\p{Ll}\p{Lu}/u;
const BETWEEN_WORDS = /(?<=\p{Ll})(?=\p{Lu})/u;

/** An English plural without its ending, by the S stemmer (Harman, 1991); null for any other word. */
function singular(word: string): string | null {
  if (word.length < 4 || !word.endsWith('s')) return null;
  if (word.endsWith('ies')) return /[ae]ies$/.test(word) ? null : `${word.slice(0, -3)}y`;
  if (word.endsWith('es')) return /[aeo]es$/.test(word) ? null : word.slice(0, -1);
  return /[us]s$/.test(word) ? null : word.slice(0, -1);
}

/** Numbers as they are said: 10,000 and 10000 are one. */
function withoutSeparators(run: string): string {
  return run.includes(',') ? run.replaceAll(',', '') : run;
}

const WORD_SEED = 0x811c9dc5;
const PAIR_SEED = 0x01234567;

/** FNV-1a over UTF-16 units, with the mixing of MurmurHash at its end. */
function hash(text: string, seed: number, from = 0, to = text.length): Term {
  let value = seed;
  for (let i = from; i < to; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** A pair of syllables says less than a word. */
const PAIR_WEIGHT = 0.6;

/** Words that a question has in common with nearly every other one, and with no answer. */
const QUESTION_WORDS =
  '무엇 무엇인가요 뭐 뭔가요 어떻게 어떤 언제 어디 어디서 어디에 어디인가요 누가 누구 왜 얼마 얼마나 얼마인가요 몇 되나요 하나요 있나요 인가요 없나요 받나요 해야 알려 알려줘 알려주세요 궁금 궁금해요 ' +
  'what which who whom whose when where why how is are was were do does did can could should would the a an of to in on for and or';

/** The terms of a text, by how much they say. */
export function termsByWeight(text: string): ReadonlyMap<Term, number> {
  const weights = new Map<Term, number>();
  eachTerm(text, (term, isWord) => weights.set(term, isWord ? 1 : PAIR_WEIGHT));
  return weights;
}

/** The terms of a question that say something, by how much they do. */
export function questionTerms(question: string): ReadonlyMap<Term, number> {
  const all = termsByWeight(question);
  const common = commonTerms();
  const telling = new Map([...all].filter(([term]) => !common.has(term)));
  // A question of nothing else is still one.
  return telling.size === 0 ? all : telling;
}

/** The term of a whole Latin word. */
export function wordTerm(word: string): Term {
  return hash(word.toLowerCase(), WORD_SEED);
}

/** The words of a question that say something, each by its terms. */
export function tellingWords(question: string): readonly ReadonlySet<Term>[] {
  const asked = questionTerms(question);
  return question
    .split(/\s+/)
    .map((word) => termsIn(word, asked))
    .filter(({ size }) => size > 0);
}

/** The terms of a text that a question has, too. */
export function termsIn(text: string, asked: { has(term: Term): boolean }): ReadonlySet<Term> {
  const found = new Set<Term>();
  eachTerm(text, (term) => {
    if (asked.has(term)) found.add(term);
  });
  return found;
}

let known: ReadonlySet<Term> | undefined;
function commonTerms(): ReadonlySet<Term> {
  if (known === undefined) {
    const terms = new Set<Term>();
    eachTerm(QUESTION_WORDS, (term) => terms.add(term));
    known = terms;
  }
  return known;
}
