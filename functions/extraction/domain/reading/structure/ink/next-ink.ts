/** The bytes of a mask four at a time. */
export function foursOf(mask: Uint8Array): Uint32Array {
  return new Uint32Array(mask.buffer, mask.byteOffset, mask.length >> 2);
}

/** The first byte of a mask, from one place up to another, that is not 0; `end` where there is none. */
export function nextInk(mask: Uint8Array, fours: Uint32Array, from: number, end: number): number {
  let i = from;
  while (i < end && mask[i] === 0) {
    // Most of a page is white.
    let four = i >> 2;
    if ((i & 3) === 0) while (four < end >> 2 && fours[four] === 0) four++;
    i = Math.max(i + 1, four << 2);
  }
  return i;
}

/** Visits every byte of a mask that is not 0, by index; fast for sparse masks. */
export function forInk(mask: Uint8Array, visit: (i: number) => void): void {
  const fours = foursOf(mask);
  const end = mask.length;
  for (let i = nextInk(mask, fours, 0, end); i < end; i = nextInk(mask, fours, i + 1, end)) visit(i);
}
