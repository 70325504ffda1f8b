import { equationsOf, isAmount } from './line-equations.ts';
import type { PrintNumber } from './print-numbers.ts';
import type { NumberRole } from './roles.ts';

/** Possible roles of one print of a line, with log-probabilities. */
export interface NumberChoice {
  readonly options: readonly {
    readonly role: NumberRole | null;
    readonly score: number;
    readonly number: PrintNumber | null;
  }[];
}

export type Numbers = ReadonlyMap<NumberRole, PrintNumber>;

export interface BestNumbers {
  readonly numbers: Numbers;
  /** 0 to 1, of each of the numbers: how much better this reading is than the best one with another value there, or with more numbers. */
  readonly confidence: ReadonlyMap<NumberRole, number>;
}

/** Readings of a line that are followed at once. */
const BEAM = 24;
/** Log-odds that arithmetic adds to a reading where it holds, and takes from one where it could hold and does not. */
const HOLDS = 2;
const FAILS = 1;
/** Of a price that the list has, or of an amount that is of one. */
const LISTED = 1.5;

/**
 * The best roles of a line's numbers; no two share one: by the network's scores, by arithmetic, and by the list.
 * @param prices of the line's drug, by the list.
 */
export function bestNumbers(choices: readonly NumberChoice[], prices: readonly number[]): BestNumbers {
  let beam: { numbers: Map<NumberRole, PrintNumber>; score: number }[] = [{ numbers: new Map(), score: 0 }];
  for (const { options } of choices) {
    const longer = beam.flatMap(({ numbers, score }) =>
      options.flatMap((option) => {
        if (option.role !== null && (numbers.has(option.role) || option.number === null)) return [];
        const next = option.role === null ? numbers : new Map(numbers).set(option.role, option.number!);
        return [{ numbers: next, score: score + option.score }];
      }),
    );
    beam = longer.sort((a, b) => b.score - a.score).slice(0, BEAM);
  }
  const judged = beam
    .map(({ numbers, score }) => ({ numbers, score: score + evidenceOf(numbers, prices) }))
    .sort((a, b) => b.score - a.score);
  const [best, ...others] = judged;
  if (!best) return { numbers: new Map(), confidence: new Map() };
  // A reading that the beam has dropped is no better than its last one.
  const dropped = beam.length < BEAM ? Number.POSITIVE_INFINITY : best.score - judged.at(-1)!.score;
  const leadOf = (role: NumberRole, { value }: PrintNumber) => {
    const rival = others.find(
      (other) => other.numbers.get(role)?.value !== value || other.numbers.size > best.numbers.size,
    );
    return rival ? best.score - rival.score : dropped;
  };
  const confidence = [...best.numbers].map(
    ([role, number]) => [role, 1 / (1 + Math.exp(-leadOf(role, number)))] as const,
  );
  return { numbers: best.numbers, confidence: new Map(confidence) };
}

function evidenceOf(numbers: Numbers, prices: readonly number[]): number {
  const numberAs = (role: NumberRole) => numbers.get(role)?.value ?? null;
  const { holds, fails } = equationsOf(numberAs);
  const [price, amount] = [numberAs('unitPrice'), numberAs('totalAmount')];
  const isListed = price === null ? amount !== null && isAmount(amount, prices, numberAs) : prices.includes(price);
  return (isListed ? LISTED : 0) + holds * HOLDS - fails * FAILS;
}
