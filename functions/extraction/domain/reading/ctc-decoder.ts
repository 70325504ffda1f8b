import type { LetterPrior } from './letter-prior.ts';
import type { LineReading } from './line-recogniser.ts';
import { type FoundLetter, mostLikely } from './open-letters.ts';
import { productOf } from './reading-parts.ts';
import type { Reading } from './table-reader.ts';

const NUMERAL = new Set([...'0123456789,.-']);
/** A letter read less surely than this has rivals; candidates below the remaining probability do not count. */
const SURE = 0.95;
const MIN_RIVAL = 0.02;
/** Chance of another letter behind the last one, above which something is printed there: behind letters that end a line it is mostly less than a tenth of this. */
const UNREAD_END = 0.005;
/** The probabilities of a step sum to 1: what has more than this has the most. */
const MOST = 0.51;
/** One bracket is shown by two or three steps. */
const STEPS_OF_TWO = 5;
/** Text that may be a drug's name. */
const WORD = /\p{Script=Hangul}{2}|\p{Script=Latin}{3}/u;

/** The output of a network for one line, steps × classes, from `offset` on; and the likeliest class of each step. */
interface Output {
  readonly probabilities: Float32Array;
  readonly offset: number;
  readonly classes: number;
  readonly best: Int32Array;
  readonly chance: Float32Array;
}

/**
 * Decoding of a CTC network's output: class 0 is the blank, class i the i-th letter of the alphabet. A reading's confidence is the
 * product of its letters' probabilities: the chance that all of them are right.
 */
export class CtcDecoder {
  readonly #alphabet: readonly string[];
  readonly #prior: LetterPrior | null;
  /** 1 for the classes that a numeral may hold. */
  readonly #numeral: Uint8Array;
  readonly #numeralClasses: readonly number[];

  /** @param prior decides between the letters of a name that print leaves open; without one the likeliest path counts. */
  constructor(alphabet: readonly string[], prior: LetterPrior | null = null) {
    this.#alphabet = alphabet;
    this.#prior = prior;
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
    const output = { probabilities, offset, classes, best, chance };
    return { text: this.#text(output), numeral: this.#numeralPath(output) };
  }

  #text(output: Output): Reading {
    const likeliest = this.#withTwins(bestPath(output.best, output.chance));
    const isOpen = likeliest.some(({ chance }) => chance < SURE);
    if (!this.#prior || !isOpen || !WORD.test(likeliest.map(({ index }) => this.#letter(index)).join('')))
      return this.#reading(likeliest, output);
    const open = likeliest.map((letter) => [letter, ...rivalsOf(output, letter)]);
    return this.#reading(
      mostLikely(open, (index) => this.#letter(index), this.#prior),
      output,
    );
  }

  /**
   * Two closing brackets side by side are read as one where the network sees nothing between them: such a one is shown by as many steps as two,
   * where two are open.
   */
  #withTwins(found: readonly FoundLetter[]): readonly FoundLetter[] {
    let open = 0;
    return found.flatMap((letter) => {
      const sign = this.#letter(letter.index);
      if (sign === '(') open++;
      if (sign !== ')') return [letter];
      const isTwo = open > 1 && letter.to - letter.from >= STEPS_OF_TWO;
      open -= isTwo ? 2 : 1;
      if (!isTwo) return [letter];
      const middle = Math.floor((letter.from + letter.to) / 2);
      return [
        { ...letter, to: middle },
        { ...letter, from: middle },
      ];
    });
  }

  #letter(index: number): string {
    return this.#alphabet[index - 1] ?? '';
  }

  #reading(found: readonly FoundLetter[], output?: Output): Reading {
    let text = '';
    const letters: number[] = [];
    const rivals: string[] = [];
    for (const each of found) {
      const letter = this.#letter(each.index);
      text += letter;
      for (let unit = 0; unit < letter.length; unit++) {
        letters.push(unit === 0 ? each.chance : 1);
        rivals.push(
          unit === 0 && output
            ? rivalsOf(output, each)
                .map(({ index }) => this.#letter(index))
                .join('')
            : '',
        );
      }
    }
    // Blanks at the ends count: where one may be a letter, that letter is lost.
    const trimmed = text.trim();
    if (trimmed === '') return { text: '', confidence: 0 };
    const unreadEnd = output ? chanceBehind(output, found.at(-1)!) : 0;
    const start = text.indexOf(trimmed);
    const end = start + trimmed.length;
    return {
      text: trimmed,
      confidence: productOf(letters),
      letters: letters.slice(start, end),
      ...(rivals.some((other) => other !== '') && { rivals: rivals.slice(start, end) }),
      ...(unreadEnd > UNREAD_END && { unreadEnd }),
    };
  }

  /** A step at which a letter outside the numerals is likely lowers the confidence: that letter is lost. */
  #numeralPath({ probabilities, offset, classes, best, chance }: Output): Reading {
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
    const { text, confidence } = this.#reading(bestPath(restricted, restrictedChance));
    return { text, confidence: confidence * kept };
  }
}

/** The letters of the likeliest path: equal classes of steps in a row are one letter. */
function bestPath(best: Int32Array, chances: Float32Array): readonly FoundLetter[] {
  const found: FoundLetter[] = [];
  for (let from = 0; from < best.length; ) {
    const index = best[from]!;
    let chance = chances[from]!;
    let to = from + 1;
    while (to < best.length && best[to] === index) chance = Math.max(chance, chances[to++]!);
    if (index !== 0) found.push({ index, chance, from, to });
    from = to;
  }
  return found;
}

/** The chance of a letter behind the last one, which may itself fade out there. */
function chanceBehind({ probabilities, offset, classes, best }: Output, { index, to }: FoundLetter): number {
  let chance = 0;
  for (let step = to; step < best.length; step++) {
    const row = offset + step * classes;
    chance = Math.max(chance, 1 - probabilities[row]! - probabilities[row + index]!);
  }
  return chance;
}

/** The other letters that its steps may show; none where it is sure. */
function rivalsOf({ probabilities, offset, classes }: Output, letter: FoundLetter): readonly FoundLetter[] {
  const { index: winner, chance: surest, from, to } = letter;
  if (surest >= SURE) return [];
  const rivals: FoundLetter[] = [];
  for (let index = 1; index < classes; index++) {
    if (index === winner) continue;
    let chance = 0;
    for (let step = from; step < to; step++) chance = Math.max(chance, probabilities[offset + step * classes + index]!);
    if (chance >= MIN_RIVAL) rivals.push({ ...letter, index, chance });
  }
  return rivals;
}
