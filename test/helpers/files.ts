/** Files written byte by byte, where no library of the project writes them. */

export interface BmpOptions {
  readonly bits: 1 | 4 | 8 | 24 | 32;
  /** Rows from the top down: a negative height in the header. */
  readonly topDown?: boolean;
  readonly compression?: number;
}

/** @param rows gray levels; with 1 bit 0 and 255 only, with 4 bits multiples of 17. */
export function bmp(
  rows: readonly (readonly number[])[],
  { bits, topDown = false, compression = 0 }: BmpOptions,
): Buffer {
  const height = rows.length;
  const width = rows[0]!.length;
  const stride = Math.ceil((width * bits) / 32) * 4;
  const levels = bits <= 8 ? 2 ** bits : 0;
  const dataOffset = 54 + levels * 4;
  const file = Buffer.alloc(dataOffset + stride * height);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(dataOffset, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(topDown ? -height : height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(bits, 28);
  file.writeUInt32LE(compression, 30);
  for (let level = 0; level < levels; level++)
    file.fill(Math.round((level * 255) / (levels - 1)), 54 + level * 4, 57 + level * 4);
  rows.forEach((row, y) => {
    const start = dataOffset + (topDown ? y : height - 1 - y) * stride;
    row.forEach((gray, x) => {
      if (bits >= 24) file.fill(gray, start + (x * bits) / 8, start + (x * bits) / 8 + 3);
      else {
        const at = start + Math.floor((x * bits) / 8);
        const index = Math.round((gray * (levels - 1)) / 255);
        file[at]! |= index << (8 - bits - ((x * bits) % 8));
      }
    });
  });
  return file;
}

/** A PDF whose pages, in points, each have a black square of 72 points at the top left corner. */
export function pdf(pages: readonly { readonly width: number; readonly height: number }[]): Buffer {
  const kids = pages.map((_, index) => `${3 + 2 * index} 0 R`).join(' ');
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`];
  pages.forEach(({ width, height }, index) => {
    objects.push(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${4 + 2 * index} 0 R>>`);
    objects.push(pdfStream('', `0 g 0 ${height - 72} 72 72 re f`));
  });
  return pdfFile(objects);
}

/** A small PDF that takes any amount of work and memory: forms that draw forms, ten times each, `depth` deep. */
export function nestedFormsPdf(depth: number): Buffer {
  const drawForm = '/F Do '.repeat(10);
  const resources = (form: number) => `/Resources<</XObject<</F ${form} 0 R>>>>`;
  const form = (level: number) =>
    level < depth
      ? pdfStream(`/Type/XObject/Subtype/Form/BBox[0 0 595 842]${resources(5 + level)}`, drawForm)
      : pdfStream('/Type/XObject/Subtype/Form/BBox[0 0 595 842]', '0 0 9 9 re f '.repeat(10));
  return pdfFile([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${resources(5)}/Contents 4 0 R>>`,
    pdfStream('', drawForm),
    ...Array.from({ length: depth }, (_, index) => form(index + 1)),
  ]);
}

function pdfStream(entries: string, content: string): string {
  return `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`;
}

/** @param objects numbered from 1; the first is the catalogue. */
function pdfFile(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) file += `${String(offset).padStart(10, '0')} 00000 n \n`;
  return Buffer.from(`${file}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF\n`, 'latin1');
}
