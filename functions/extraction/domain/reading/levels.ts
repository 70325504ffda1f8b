/** How often each gray level occurs. */
export function histogramOf(levels: ArrayLike<number>): Float64Array {
  const histogram = new Float64Array(256);
  // By index: an iterator takes ten times as long over the millions of pixels of a page.
  for (let i = 0; i < levels.length; i++) histogram[levels[i]!]!++;
  return histogram;
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
