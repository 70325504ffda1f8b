/** The bytes of a mask four at a time. */
export function foursOf(mask: Uint8Array): Uint32Array {
  return new Uint32Array(mask.buffer, mask.byteOffset, mask.length >> 2);
}

/** The first byte of a mask, from one place up to another, that is not 0; `end` where there is none. Most of a page is white, and is passed over by fours. */
export function nextInk(mask: Uint8Array, fours: Uint32Array, from: number, end: number): number {
  let i = from;
  while (i < end && mask[i] === 0) i += (i & 3) === 0 && i + 4 <= end && fours[i >> 2] === 0 ? 4 : 1;
  return i;
}

/** By index, for every byte of a mask that is not 0: for what is on few of a page's pixels. */
export function forInk(mask: Uint8Array, visit: (i: number) => void): void {
  const fours = foursOf(mask);
  const end = mask.length;
  for (let i = nextInk(mask, fours, 0, end); i < end; i = nextInk(mask, fours, i + 1, end)) visit(i);
}
