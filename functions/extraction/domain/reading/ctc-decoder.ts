import type { LineReading } from './line-recogniser.ts';
import { productOf } from './reading-parts.ts';
import type { Reading } from './table-reader.ts';

const NUMERAL = new Set([...'0123456789,.-']);
/** A letter read less surely than this has rivals; candidates below the remaining probability do not count. */
const SURE = 0.95;
const MIN_RIVAL = 0.02;
/** The probabilities of a step sum to 1: what has more than this has the most. */
const MOST = 0.51;

/**
 * Best-path decoding of a CTC network's output: class 0 is the blank, class i the i-th letter of the alphabet. A reading's
 * confidence is the product of its letters' probabilities: the chance that all of them are right.
 */
export class CtcDecoder {
  readonly #alphabet: readonly string[];
  /** 1 for the classes that a numeral may hold. */
  readonly #numeral: Uint8Array;
  readonly #numeralClasses: readonly number[];

  constructor(alphabet: readonly string[]) {
    this.#alphabet = alphabet;
    this.#numeral = new Uint8Array(alphabet.length + 1);
    alphabet.forEach((letter, index) => {
      if (NUMERAL.has(letter)) this.#numeral[index + 1] = 1;
    });
    this.#numeralClasses = [...this.#numeral.keys()].filter((index) => this.#numeral[index]);
  }

  /** @param probabilities steps × classes, from `offset` on. */
  decode(probabilities: Float32Array, offset: number, steps: number, classes: number): LineReading {
    const best = new Int32Array(steps);
    const chance = new Float32Array(steps);
    for (let step = 0; step < steps; step++) {
      const row = offset + step * classes;
      let most = 0;
      for (let index = 0; index < classes && most < MOST; index++) {
        const value = probabilities[row + index]!;
        if (value > most) {
          most = value;
          best[step] = index;
        }
      }
      chance[step] = most;
    }
    return {
      text: this.#path(best, chance, (from, to) => this.#rivals(probabilities, offset, classes, best[from]!, from, to)),
      numeral: this.#numeralPath(probabilities, offset, classes, best, chance),
    };
  }

  #path(best: Int32Array, chance: Float32Array, rivalsAt?: (from: number, to: number) => string): Reading {
    let text = '';
    const letters: number[] = [];
    const rivals: string[] = [];
    for (let step = 0; step < best.length; ) {
      const index = best[step]!;
      let most = chance[step]!;
      let end = step + 1;
      while (end < best.length && best[end] === index) most = Math.max(most, chance[end++]!);
      if (index !== 0) {
        const letter = this.#alphabet[index - 1] ?? '';
        text += letter;
        for (let unit = 0; unit < letter.length; unit++) {
          letters.push(unit === 0 ? most : 1);
          rivals.push(unit === 0 && most < SURE ? (rivalsAt?.(step, end) ?? '') : '');
        }
      }
      step = end;
    }
    // Blanks at the ends count: where one may be a letter, that letter is lost.
    const trimmed = text.trim();
    if (trimmed === '') return { text: '', confidence: 0 };
    const start = text.indexOf(trimmed);
    const end = start + trimmed.length;
    return {
      text: trimmed,
      confidence: productOf(letters),
      letters: letters.slice(start, end),
      ...(rivals.some((other) => other !== '') && { rivals: rivals.slice(start, end) }),
    };
  }

  /** Alternatives to the letter that won the steps from `from` to `to`. */
  #rivals(
    probabilities: Float32Array,
    offset: number,
    classes: number,
    winner: number,
    from: number,
    to: number,
  ): string {
    let rivals = '';
    for (let index = 1; index < classes; index++) {
      if (index === winner) continue;
      for (let step = from; step < to; step++) {
        if (probabilities[offset + step * classes + index]! < MIN_RIVAL) continue;
        rivals += this.#alphabet[index - 1] ?? '';
        break;
      }
    }
    return rivals;
  }

  /** A step at which a letter outside the numerals is likely lowers the confidence: that letter is lost. */
  #numeralPath(
    probabilities: Float32Array,
    offset: number,
    classes: number,
    best: Int32Array,
    chance: Float32Array,
  ): Reading {
    const restricted = best.slice();
    const restrictedChance = chance.slice();
    let kept = 1;
    for (let step = 0; step < best.length; step++) {
      const index = best[step]!;
      if (index === 0 || this.#numeral[index]) continue;
      const row = offset + step * classes;
      let winner = 0;
      for (const candidate of this.#numeralClasses)
        if (probabilities[row + candidate]! > probabilities[row + winner]!) winner = candidate;
      restricted[step] = winner;
      restrictedChance[step] = probabilities[row + winner]!;
      if (winner === 0) kept = Math.min(kept, 1 - chance[step]!);
    }
    const { text, confidence } = this.#path(restricted, restrictedChance);
    return { text, confidence: confidence * kept };
  }
}
