/** Bytes at the start: magic, pieces, dimensions, bytes of the pieces' text, and the score of an unknown letter. */
const HEADER_WORDS = 5;
const MAGIC = 0x314e4d54;
/** Starts a word, as the tokenizer of SentencePiece writes it. */
const WORD_START = '▁';
/** Longer words are identifiers, addresses or encoded data: they have no meaning to find. */
const MAX_WORD_LENGTH = 64;
/** Vectors of words that are kept: some 10 MB. */
const MAX_KEPT_WORDS = 20_000;

/**
 * Static embedding: a vector for each subword, so that the mean over a text is near that of a text with the same meaning. The
 * vectors come from `layers/meaning/subwords.bin`; training/meaning says how they were made.
 */
export class SubwordVectors {
  readonly #dimensions: number;
  readonly #unknownScore: number;
  /** Log-probability of each piece. */
  readonly #scores: Float32Array;
  readonly #scales: Float32Array;
  readonly #values: Int8Array;
  readonly #pieces = new Map<string, number>();
  readonly #longest: number;
  readonly #words = new Map<string, Float32Array>();

  /** @throws Error when the bytes are of another format. */
  constructor(bytes: Uint8Array) {
    // Numbers are read in place, which needs an offset at a multiple of their size.
    const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const [magic, count = 0, dimensions = 0, textBytes = 0] = new Uint32Array(buffer, byteOffset, HEADER_WORDS);
    if (magic !== MAGIC) throw new Error('These bytes are not a file of subword vectors.');
    let at = byteOffset + HEADER_WORDS * 4;
    const floats = () => {
      const section = new Float32Array(buffer, at, count);
      at += count * 4;
      return section;
    };
    this.#dimensions = dimensions;
    this.#unknownScore = new Float32Array(buffer, byteOffset + (HEADER_WORDS - 1) * 4, 1)[0]!;
    this.#scores = floats();
    this.#scales = floats();
    this.#values = new Int8Array(buffer, at, count * dimensions);
    at += count * dimensions;
    const pieces = new TextDecoder().decode(new Uint8Array(buffer, at, textBytes)).split('\n');
    for (const [index, piece] of pieces.entries()) this.#pieces.set(piece, index);
    this.#longest = pieces.reduce((most, { length }) => Math.max(most, length), 0);
  }

  /** A vector of length 1; of zeros for a text without a known word. Its time grows as the text does. */
  of(text: string): Float32Array {
    const sum = new Float32Array(this.#dimensions);
    for (const word of text.normalize('NFKC').split(/\s+/)) {
      if (word === '' || word.length > MAX_WORD_LENGTH) continue;
      const vector = this.#word(word);
      for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
    }
    const length = Math.hypot(...sum);
    return length > 0 ? sum.map((value) => value / length) : sum;
  }

  #word(word: string): Float32Array {
    const kept = this.#words.get(word);
    if (kept !== undefined) return kept;
    if (this.#words.size >= MAX_KEPT_WORDS) this.#words.clear();
    const vector = new Float32Array(this.#dimensions);
    for (const piece of this.#split(WORD_START + word)) {
      const scale = this.#scales[piece]!;
      const from = piece * this.#dimensions;
      for (let i = 0; i < vector.length; i++) vector[i]! += this.#values[from + i]! * scale;
    }
    this.#words.set(word, vector);
    return vector;
  }

  /** The most probable pieces of a word by a unigram model (Kudo, 2018), without unknown letters. */
  #split(word: string): readonly number[] {
    const best = new Float64Array(word.length + 1).fill(Number.NEGATIVE_INFINITY);
    const starts = new Uint32Array(word.length + 1);
    const pieces = new Int32Array(word.length + 1).fill(-1);
    best[0] = 0;
    const offer = (end: number, start: number, piece: number, score: number) => {
      if (best[start]! + score <= best[end]!) return;
      best[end] = best[start]! + score;
      starts[end] = start;
      pieces[end] = piece;
    };
    for (let start = 0; start < word.length; start++) {
      const last = Math.min(word.length, start + this.#longest);
      for (let end = start + 1; end <= last; end++) {
        const piece = this.#pieces.get(word.slice(start, end));
        if (piece !== undefined) offer(end, start, piece, this.#scores[piece]!);
      }
      offer(start + 1, start, -1, this.#unknownScore);
    }
    const found: number[] = [];
    for (let end = word.length; end > 0; end = starts[end]!) if (pieces[end]! >= 0) found.push(pieces[end]!);
    return found;
  }
}
