/** Letters before another that say how likely it is. */
export const PRIOR_ORDER = 5;
/** Steps of a stored natural logarithm: 1/16, in one byte. */
const LOG_STEP = 1 / 16;
const FLOOR = -8;
/** Slots for an n-gram, at the least. */
const MIN_ROOM = 1.2;

/**
 * How likely letters follow each other in drugs' names: an n-gram model with back-off in a hash table, which `training/hangul/name-prior.ts`
 * makes of the shipped list. A new name has the parts of others, and is as much at home as a known one. All digits are alike: no strength
 * is more likely than another.
 */
export class LetterPrior {
  /** Slots of 32 bits: 16 that tell n-grams of one slot apart, then the logarithms of the probability and of the back-off. */
  readonly #slots: Uint32Array;

  /** @param bytes a power of two of slots, little-endian. */
  constructor(bytes: Uint8Array) {
    this.#slots = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  }

  /**
   * The natural logarithm of the letter's probability behind the text, at least that of a letter that no name holds.
   * @param before as `folded` gives it
   */
  logOf(before: string, letter: string): number {
    let backOff = 0;
    for (let from = Math.max(0, before.length - PRIOR_ORDER + 1); from <= before.length; from++) {
      const context = before.slice(from);
      const slot = this.#slotOf(context + letter);
      if (slot !== undefined) return Math.max(FLOOR, backOff - ((slot >>> 8) & 0xff) * LOG_STEP);
      const known = context === '' ? undefined : this.#slotOf(context);
      if (known !== undefined) backOff -= (known & 0xff) * LOG_STEP;
    }
    return FLOOR;
  }

  #slotOf(ngram: string): number | undefined {
    const mask = this.#slots.length - 1;
    const hash = hashOf(ngram);
    for (let at = hash & mask; this.#slots[at] !== 0; at = (at + 1) & mask)
      if (this.#slots[at]! >>> 16 === tagOf(hash)) return this.#slots[at]!;
    return undefined;
  }
}

/** A letter as the prior counts it. */
export function folded(letter: string): string {
  return letter >= '0' && letter <= '9' ? '0' : letter;
}

/** One n-gram with natural logarithms, 0 or less. */
export interface PriorEntry {
  readonly ngram: string;
  readonly log: number;
  readonly backOff: number;
}

/** The bytes of a prior with these n-grams. */
export function packPrior(entries: readonly PriorEntry[]): Uint8Array {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(entries.length * MIN_ROOM)));
  const mask = slots.length - 1;
  const stepsOf = (log: number) => Math.min(255, Math.round(-log / LOG_STEP));
  for (const { ngram, log, backOff } of entries) {
    const hash = hashOf(ngram);
    let at = hash & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = ((tagOf(hash) << 16) | (stepsOf(log) << 8) | stepsOf(backOff)) >>> 0;
  }
  return new Uint8Array(slots.buffer);
}

/** FNV-1a over UTF-16 units, its bits mixed once more. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}

/** Never 0, which marks a free slot. */
function tagOf(hash: number): number {
  return (Math.imul(hash, 0x9e3779b1) >>> 16) | 1;
}
