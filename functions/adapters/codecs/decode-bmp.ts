import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';

const BI_RGB = 0;
const BI_BITFIELDS = 3;
/** The order in which nearly every program writes 32 bits: blue, green, red, unused. */
const BGR_MASKS = [0x00ff0000, 0x0000ff00, 0x000000ff] as const;
const FILE_HEADER_BYTES = 14;
const MASKS_OFFSET = 54;

/** sharp reads no BMP. This reads what scanners and screens write, in gray: uncompressed, 1 to 32 bits a pixel. */
export function decodeBmp(bytes: Uint8Array, checkSize: (size: { width: number; height: number }) => void): Raster {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < MASKS_OFFSET) throw damaged('it is cut off');
  const dataOffset = view.getUint32(10, true);
  const headerSize = view.getUint32(14, true);
  if (headerSize < 40) throw damaged('its header is of an old kind; save it as PNG');
  const width = view.getInt32(18, true);
  const signedHeight = view.getInt32(22, true);
  const height = Math.abs(signedHeight);
  const bits = view.getUint16(28, true);
  if (width < 1 || height < 1) throw damaged('its size is not positive');
  checkSize({ width, height });
  if (!isPlain(view, bits)) throw damaged('it is compressed or of an unusual depth; save it as PNG');
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (dataOffset + stride * height > bytes.length) throw damaged('it is cut off');

  const palette = bits <= 8 ? readPalette(bytes, FILE_HEADER_BYTES + headerSize, 2 ** bits) : null;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    // A positive height means that the lowest row comes first.
    const row = dataOffset + (signedHeight > 0 ? height - 1 - y : y) * stride;
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = palette ? palette[indexAt(bytes, row, x, bits)]! : grayAt(bytes, row + x * (bits / 8));
  }
  return { width, height, pixels };
}

function isPlain(view: DataView, bits: number): boolean {
  const compression = view.getUint32(30, true);
  if (compression === BI_RGB) return [1, 4, 8, 24, 32].includes(bits);
  if (compression !== BI_BITFIELDS || bits !== 32 || view.byteLength < MASKS_OFFSET + 12) return false;
  return BGR_MASKS.every((mask, index) => view.getUint32(MASKS_OFFSET + index * 4, true) === mask);
}

function readPalette(bytes: Uint8Array, offset: number, colours: number): Uint8Array {
  return Uint8Array.from({ length: colours }, (_, index) => grayAt(bytes, offset + index * 4));
}

/** ITU-R BT.601. */
function grayAt(bytes: Uint8Array, at: number): number {
  return Math.round(0.114 * (bytes[at] ?? 0) + 0.587 * (bytes[at + 1] ?? 0) + 0.299 * (bytes[at + 2] ?? 0));
}

function indexAt(bytes: Uint8Array, row: number, x: number, bits: number): number {
  const perByte = 8 / bits;
  const byte = bytes[row + Math.floor(x / perByte)]!;
  return (byte >> (8 - bits - (x % perByte) * bits)) & ((1 << bits) - 1);
}

function damaged(why: string): ImageRefused {
  return new ImageRefused('unreadable_image', `The BMP image cannot be decoded: ${why}.`);
}
