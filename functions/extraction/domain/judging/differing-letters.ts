import type { TextField } from '../drug-line.ts';

export interface DifferingLetter {
  readonly printed: string;
  readonly listed: string;
  /** How surely the printed letter was read, 0 to 1. */
  readonly confidence: number;
}

/** The letters of a printed name that are not the listed one's in the same place, from the cheapest alignment of both. */
export function differingLetters({ value, letters }: TextField, listed: string): readonly DifferingLetter[] {
  const printed = value ?? '';
  return alignedPlaces(printed, listed)
    .filter(([at, other]) => printed[at] !== listed[other])
    .map(([at, other]) => ({ printed: printed[at]!, listed: listed[other]!, confidence: letters?.[at] ?? 1 }));
}

/** Pairs of corresponding places, ascending. The listed name may be longer. */
function alignedPlaces(printed: string, listed: string): readonly (readonly [number, number])[] {
  const width = listed.length + 1;
  const costs = new Uint16Array((printed.length + 1) * width);
  const cost = (i: number, j: number) => costs[i * width + j]!;
  const paired = (i: number, j: number) => cost(i - 1, j - 1) + Number(printed[i - 1] !== listed[j - 1]);
  for (let i = 0; i <= printed.length; i++)
    for (let j = 0; j <= listed.length; j++)
      costs[i * width + j] =
        i === 0 || j === 0 ? i + j : Math.min(paired(i, j), cost(i - 1, j) + 1, cost(i, j - 1) + 1);
  const ends = Array.from({ length: width }, (_, j) => cost(printed.length, j));
  const pairs: (readonly [number, number])[] = [];
  for (let i = printed.length, j = ends.indexOf(Math.min(...ends)); i > 0 && j > 0; ) {
    if (cost(i, j) === paired(i, j)) pairs.push([--i, --j]);
    else if (cost(i, j) === cost(i - 1, j) + 1) i--;
    else j--;
  }
  return pairs.reverse();
}
