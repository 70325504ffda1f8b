/** How often each gray level occurs. */
export function histogramOf(levels: Uint8Array): Float64Array {
  // Neighbouring pixels are often equal, and each increment waits for the one before it: four neighbours use separate counts.
  const counts = new Uint32Array(4 * 256);
  // By index: an iterator takes ten times as long over the millions of pixels of a page.
  const whole = levels.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    counts[levels[i]!]!++;
    counts[256 + levels[i + 1]!]!++;
    counts[512 + levels[i + 2]!]!++;
    counts[768 + levels[i + 3]!]!++;
  }
  for (let i = whole; i < levels.length; i++) counts[levels[i]!]!++;
  return Float64Array.from(
    { length: 256 },
    (_, level) => counts[level]! + counts[256 + level]! + counts[512 + level]! + counts[768 + level]!,
  );
}

/** The level at or below which `share` of all lie. */
export function quantileLevel(histogram: Float64Array, share: number): number {
  const wanted = share * histogram.reduce((total, count) => total + count, 0);
  let sum = 0;
  const level = histogram.findIndex((count) => {
    sum += count;
    return sum >= wanted;
  });
  return level < 0 ? 255 : level;
}
