import { equationsOf } from './line-equations.ts';
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
  /** 0 to 1: how much better this reading of the line is than the next one. */
  readonly confidence: number;
}

/** Readings of a line that are followed at once. */
const BEAM = 24;
/** Log-odds that arithmetic adds to a reading where it holds, and takes from one where it could hold and does not. */
const HOLDS = 2;
const FAILS = 1;
/** Of a price that the list has. */
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
  const [best, second] = judged;
  if (!best) return { numbers: new Map(), confidence: 0 };
  const lead = second ? best.score - second.score : Number.POSITIVE_INFINITY;
  return { numbers: best.numbers, confidence: 1 / (1 + Math.exp(-lead)) };
}

function evidenceOf(numbers: Numbers, prices: readonly number[]): number {
  const numberAs = (role: NumberRole) => numbers.get(role)?.value ?? null;
  const { holds, fails } = equationsOf(numberAs);
  const price = numberAs('unitPrice');
  return (price !== null && prices.includes(price) ? LISTED : 0) + holds * HOLDS - fails * FAILS;
}
