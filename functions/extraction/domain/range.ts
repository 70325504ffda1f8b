/** Whole numbers from `from` up to, not including, `to`; none where that is no more. */
export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);
}
