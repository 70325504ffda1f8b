import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';

/** sharp reads no BMP. This reads what scanners and screens write: uncompressed, 1 to 32 bits a pixel. */
export function decodeBmp(
  bytes: Uint8Array,
  maxPixels: number,
): { readonly width: number; readonly height: number; readonly rgb: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dataOffset = view.getUint32(10, true);
  const headerSize = view.getUint32(14, true);
  if (headerSize < 40) throw damaged('its header is of an old kind');
  const width = view.getInt32(18, true);
  const signedHeight = view.getInt32(22, true);
  const height = Math.abs(signedHeight);
  const bits = view.getUint16(28, true);
  const compression = view.getUint32(30, true);
  if (width < 1 || height < 1) throw damaged('its size is not positive');
  if (width * height > maxPixels)
    throw new ImageRefused('image_too_large', `The image has ${width} × ${height} pixels; scale it down.`);
  // BI_BITFIELDS with 32 bits is how many programs write plain BGRA.
  if (!(compression === 0 || (compression === 3 && bits === 32)) || ![1, 4, 8, 24, 32].includes(bits))
    throw damaged('it is compressed or has an unusual depth; save it as PNG');
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (dataOffset + stride * height > bytes.length) throw damaged('it is cut off');
  const palette = 14 + headerSize;
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = dataOffset + (signedHeight > 0 ? height - 1 - y : y) * stride;
    for (let x = 0; x < width; x++) {
      const from = bits >= 24 ? row + x * (bits / 8) : palette + 4 * indexAt(bytes, row, x, bits);
      const to = (y * width + x) * 3;
      rgb[to] = bytes[from + 2] ?? 0;
      rgb[to + 1] = bytes[from + 1] ?? 0;
      rgb[to + 2] = bytes[from] ?? 0;
    }
  }
  return { width, height, rgb };
}

function indexAt(bytes: Uint8Array, row: number, x: number, bits: number): number {
  if (bits === 8) return bytes[row + x]!;
  const perByte = 8 / bits;
  const byte = bytes[row + Math.floor(x / perByte)]!;
  return (byte >> (8 - bits - (x % perByte) * bits)) & ((1 << bits) - 1);
}

function damaged(why: string): ImageRefused {
  return new ImageRefused('unreadable_image', `The BMP image cannot be decoded: ${why}.`);
}
