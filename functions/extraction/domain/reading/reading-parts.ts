import type { Reading } from './table-reader.ts';

/** The letters of a reading from `start` to `end`, with their own confidence where the reader rated every letter. */
export function partOf({ text, confidence, letters, rivals, unreadEnd }: Reading, start: number, end: number): Reading {
  const part = text.slice(start, end);
  if (!letters) return { text: part, confidence };
  const own = letters.slice(start, end);
  return {
    text: part,
    confidence: productOf(own),
    letters: own,
    ...(rivals && { rivals: rivals.slice(start, end) }),
    ...(unreadEnd !== undefined && end >= text.length && { unreadEnd }),
  };
}

/** The share of confidence that remains once evidence speaks against a reading. */
export const DOUBT = 0.5;

/** The same reading, less sure as a whole. */
export function doubtedReading({ text, confidence }: Reading): Reading {
  return { text, confidence: confidence * DOUBT };
}

/** Readings put together with `between` as their separator. */
export function joinReadings(parts: readonly Reading[], between = ''): Reading {
  const rated = parts.every(({ letters }) => letters !== undefined);
  const text = parts.map((part) => part.text).join(between);
  if (parts.length === 0) return { text, confidence: 0 };
  const confidence = productOf(parts.map((part) => part.confidence));
  if (!rated) return { text, confidence };
  const unreadEnd = parts.at(-1)?.unreadEnd;
  const parted = <T>(gap: T, own: (part: Reading) => readonly T[]) =>
    parts.flatMap((part, index) => [...(index > 0 ? new Array<T>(between.length).fill(gap) : []), ...own(part)]);
  return {
    text,
    confidence,
    letters: parted(1, ({ letters }) => letters!),
    ...(parts.some(({ rivals }) => rivals) && {
      rivals: parted('', (part) => part.rivals ?? new Array<string>(part.text.length).fill('')),
    }),
    ...(unreadEnd !== undefined && { unreadEnd }),
  };
}

export function productOf(values: readonly number[]): number {
  return values.reduce((product, value) => product * value, 1);
}
