import type { Reading } from './table-reader.ts';

/** The letters of a reading from `start` to `end`, with their own confidence where the reader rated every letter. */
export function partOf({ text, confidence, letters }: Reading, start: number, end: number): Reading {
  const part = text.slice(start, end);
  if (!letters) return { text: part, confidence };
  const own = letters.slice(start, end);
  return { text: part, confidence: productOf(own), letters: own };
}

/** Readings put together with `between` as what parts them. */
export function joinReadings(parts: readonly Reading[], between = ''): Reading {
  const rated = parts.every(({ letters }) => letters !== undefined);
  const text = parts.map((part) => part.text).join(between);
  if (parts.length === 0) return { text, confidence: 0 };
  const confidence = productOf(parts.map((part) => part.confidence));
  if (!rated) return { text, confidence };
  const gap = new Array<number>(between.length).fill(1);
  return { text, confidence, letters: parts.flatMap(({ letters }, index) => [...(index > 0 ? gap : []), ...letters!]) };
}

export function productOf(values: readonly number[]): number {
  return values.reduce((product, value) => product * value, 1);
}
