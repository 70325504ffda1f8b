/**
 * Two-sided Mann–Whitney U test: how likely two samples of the same distribution differ as much as these. Normal
 * approximation with corrections for ties and continuity, good from about twenty values of each.
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): { readonly u: number; readonly p: number } {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))].sort(
    (one, other) => one.value - other.value,
  );
  let rankSum = 0;
  let ties = 0;
  for (let start = 0; start < all.length; ) {
    let end = start;
    while (end < all.length && all[end]?.value === all[start]?.value) end += 1;
    const count = end - start;
    // Equal values share the mean of their ranks.
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ isA }) => isA).length;
    ties += count ** 3 - count;
    start = end;
  }
  const [m, n, total] = [a.length, b.length, all.length];
  const u = rankSum - (m * (m + 1)) / 2;
  const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)));
  const distance = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5);
  return { u, p: variance === 0 ? 1 : 2 * upperTail(distance / Math.sqrt(variance)) };
}

/** Of the standard normal distribution; Abramowitz and Stegun 26.2.17, exact to 8 digits. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = series.reduce((total, coefficient, i) => total + coefficient * t ** (i + 1), 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
