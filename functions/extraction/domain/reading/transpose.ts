/** Side of the squares that stay in the processor's cache. */
const SQUARE = 64;

/** Rows and columns exchanged, four by four at a time: one by one takes three times as long. White alone, 0, is there already. */
export function transpose(bytes: Uint8Array, width: number, height: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const to = new DataView(out.buffer);
  const right = width & ~3;
  const bottom = height & ~3;
  for (let top = 0; top < bottom; top += SQUARE)
    for (let left = 0; left < right; left += SQUARE)
      for (let y = top; y < bottom && y < top + SQUARE; y += 4)
        for (let x = left; x < right && x < left + SQUARE; x += 4) {
          const i = y * width + x;
          const a = from.getUint32(i, true);
          const b = from.getUint32(i + width, true);
          const c = from.getUint32(i + 2 * width, true);
          const d = from.getUint32(i + 3 * width, true);
          if ((a | b | c | d) === 0) continue;
          const o = x * height + y;
          to.setUint32(o, (a & 255) | ((b & 255) << 8) | ((c & 255) << 16) | (d << 24), true);
          to.setUint32(o + height, ((a >>> 8) & 255) | (b & 0xff00) | ((c & 0xff00) << 8) | ((d & 0xff00) << 16), true);
          to.setUint32(
            o + 2 * height,
            ((a >>> 16) & 255) | ((b >>> 8) & 0xff00) | (c & 0xff0000) | ((d & 0xff0000) << 8),
            true,
          );
          to.setUint32(
            o + 3 * height,
            (a >>> 24) | ((b >>> 16) & 0xff00) | ((c >>> 8) & 0xff0000) | (d & 0xff000000),
            true,
          );
        }
  for (let y = 0; y < height; y++)
    for (let x = y < bottom ? right : 0; x < width; x++) out[x * height + y] = bytes[y * width + x]!;
  return out;
}
