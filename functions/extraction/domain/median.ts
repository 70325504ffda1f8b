/** The upper one of two in the middle. @returns 0 where there are no values. */
export function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
