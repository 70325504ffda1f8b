export type ImageType = 'jpeg' | 'png' | 'webp' | 'tiff' | 'bmp' | 'pdf';

/** Detects an image's type from its first bytes; null for any type that is not accepted. */
export function sniffImageType(bytes: Uint8Array): ImageType | null {
  const starts = (...signature: number[]) => signature.every((byte, index) => bytes[index] === byte);
  const ascii = (offset: number, text: string) =>
    [...text].every((letter, index) => bytes[offset + index] === letter.charCodeAt(0));
  if (starts(0xff, 0xd8, 0xff)) return 'jpeg';
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (ascii(0, 'RIFF') && ascii(8, 'WEBP')) return 'webp';
  if (starts(0x49, 0x49, 0x2a, 0x00) || starts(0x4d, 0x4d, 0x00, 0x2a)) return 'tiff';
  if (ascii(0, 'BM') && bytes.length > 26) return 'bmp';
  if (ascii(0, '%PDF-')) return 'pdf';
  return null;
}
