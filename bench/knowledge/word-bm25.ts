const K1 = 1.2;
const B = 0.75;

/** Plain BM25. @param wordsOf by default the words between blanks, without any knowledge of a language. */
export class WordBm25 {
  readonly #documents: readonly { readonly counts: ReadonlyMap<string, number>; readonly length: number }[];
  readonly #found = new Map<string, number>();
  readonly #meanLength: number;
  readonly #wordsOf: (text: string) => readonly string[];

  constructor(texts: readonly string[], wordsOf: (text: string) => readonly string[] = wordsBetweenBlanks) {
    this.#wordsOf = wordsOf;
    this.#documents = texts.map((text) => {
      const words = wordsOf(text);
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { counts, length: words.length };
    });
    for (const { counts } of this.#documents)
      for (const word of counts.keys()) this.#found.set(word, (this.#found.get(word) ?? 0) + 1);
    this.#meanLength = this.#documents.reduce((sum, { length }) => sum + length, 0) / this.#documents.length;
  }

  /** Numbers of the texts that fit best, those without any word of the query left out. */
  search(query: string, limit: number): readonly number[] {
    const words = [...new Set(this.#wordsOf(query))];
    const total = this.#documents.length;
    const scored = this.#documents.map(({ counts, length }, index) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word);
        if (count === undefined) continue;
        const found = this.#found.get(word)!;
        const idf = Math.log(1 + (total - found + 0.5) / (found + 0.5));
        score += (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / this.#meanLength));
      }
      return { index, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ index }) => index);
  }
}

/** Words without the punctuation around them. */
function wordsBetweenBlanks(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '');
}
