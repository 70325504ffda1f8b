import { deflateRawSync } from 'node:zlib';
import { ole } from './ole.ts';

/** A record of a .hwp: its tag and level, the length in the head or, for long ones, after it. */
export function hwpRecord(tag: number, level: number, data: Uint8Array): Buffer {
  const isLong = data.length >= 0xfff;
  const head = Buffer.alloc(isLong ? 8 : 4);
  head.writeUInt32LE((tag | (level << 10) | ((isLong ? 0xfff : data.length) << 20)) >>> 0);
  if (isLong) head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

/** A paragraph with the number of its form in `DocInfo`. */
export function hwpParagraph(text: string, { level = 0, form = 0 } = {}): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt32LE(text.length + 1, 0);
  head.writeUInt16LE(form, 8);
  return Buffer.concat([
    hwpRecord(66, level, head),
    hwpRecord(67, level + 1, Buffer.from(`${text}\r`, 'utf16le')),
    hwpRecord(68, level + 1, Buffer.alloc(8)),
  ]);
}

/** A control by its name, such as `tbl `, with the records in it. */
export function hwpControl(name: string, level: number, ...records: readonly Buffer[]): Buffer {
  const id = Buffer.from(name.split('').toReversed().join(''), 'latin1');
  return Buffer.concat([hwpRecord(71, level, Buffer.concat([id, Buffer.alloc(20)])), ...records]);
}

/** A table of a paragraph of level 0, a text a cell. */
export function hwpTable(rows: readonly (readonly string[])[]): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt16LE(rows.length, 4);
  size.writeUInt16LE(rows[0]!.length, 6);
  const cells = rows.flatMap((row, at) =>
    row.map((text, column) => {
      const cell = Buffer.alloc(34);
      cell.writeUInt16LE(1, 0);
      cell.writeUInt16LE(column, 8);
      cell.writeUInt16LE(at, 10);
      return Buffer.concat([hwpRecord(72, 2, cell), hwpParagraph(text, { level: 2 })]);
    }),
  );
  return hwpControl('tbl ', 1, hwpRecord(77, 2, size), ...cells);
}

export interface HwpOptions {
  /** Bits of the head of the file. */
  readonly flags?: number;
  readonly others?: Readonly<Record<string, Uint8Array>>;
}

/** A .hwp of Hangul 5 with these sections. The forms of its paragraphs are a text, and headings of the levels 1 and 2. */
export function hwp(sections: readonly Buffer[], { flags = 1, others = {} }: HwpOptions = {}): Buffer {
  const header = Buffer.alloc(256);
  header.write('HWP Document File');
  header.writeUInt32LE(0x05010001, 32);
  header.writeUInt32LE(flags, 36);
  const form = (shape: number) => {
    const data = Buffer.alloc(54);
    data.writeUInt32LE(shape >>> 0);
    return hwpRecord(25, 1, data);
  };
  const docInfo = Buffer.concat([form(0), form(1 << 23), form((1 << 23) | (1 << 25))]);
  const pack = (bytes: Buffer) => (flags & 1 ? deflateRawSync(bytes) : bytes);
  return ole({
    FileHeader: header,
    DocInfo: pack(docInfo),
    ...Object.fromEntries(sections.map((section, index) => [`BodyText/Section${index}`, pack(section)])),
    ...others,
  });
}
