import { ole } from './ole.ts';

const PAGE = 512;
const TEXT_AT = 2048;

export interface DocParagraph {
  readonly text: string;
  /** Number of the style: 1 to 9 are the headings. */
  readonly style?: number;
  /** The last letters of the text, which are hidden. */
  readonly hidden?: string;
  readonly isInTable?: boolean;
  readonly isEndOfRow?: boolean;
}

/** A .doc of Word 97 with these paragraphs, in UTF-16. The table stream has the piece table and the places of the pages of properties. */
export function doc(paragraphs: readonly DocParagraph[], { flags = 0x0200, version = 0xc1 } = {}): Buffer {
  const texts = paragraphs.map(({ text, hidden = '', isInTable }) => `${text}${hidden}${isInTable ? '\x07' : '\r'}`);
  const text = Buffer.from(texts.join(''), 'utf16le');
  let at = TEXT_AT;
  const ends = texts.map((each) => {
    at += 2 * each.length;
    return at;
  });
  const starts = [TEXT_AT, ...ends.slice(0, -1)];
  const main = Buffer.alloc(TEXT_AT + Math.ceil(text.length / PAGE) * PAGE);
  main.set(text, TEXT_AT);
  const addPage = (page: Buffer) => main.length / PAGE + pages.push(page) - 1;
  const pages: Buffer[] = [];
  const paragraphPage = addPage(
    propertiesPage(
      [TEXT_AT, ...ends],
      paragraphs.map(({ style = 0, isInTable, isEndOfRow }) => {
        const list = [style, 0, ...(isInTable ? [0x16, 0x24, 1] : []), ...(isEndOfRow ? [0x17, 0x24, 1] : [])];
        return Buffer.from([0, Math.ceil(list.length / 2), ...list, ...(list.length % 2 ? [0] : [])]);
      }),
      13,
    ),
  );
  const runs = paragraphs.flatMap(({ hidden = '' }, index) => {
    const mark = ends[index]! - 2;
    return hidden === ''
      ? [{ start: starts[index]!, isHidden: false }]
      : [
          { start: starts[index]!, isHidden: false },
          { start: mark - 2 * hidden.length, isHidden: true },
          { start: mark, isHidden: false },
        ];
  });
  const characterPage = addPage(
    propertiesPage(
      [...runs.map(({ start }) => start), at],
      runs.map(({ isHidden }) => (isHidden ? Buffer.from([3, 0x3c, 0x08, 1]) : Buffer.alloc(0))),
      1,
    ),
  );
  const characters = text.length / 2;
  const clx = Buffer.alloc(5 + 8 + 8);
  clx[0] = 2;
  clx.writeUInt32LE(16, 1);
  clx.writeUInt32LE(characters, 9);
  clx.writeUInt32LE(TEXT_AT, 15);
  const place = (page: number) => {
    const plc = Buffer.alloc(12);
    plc.writeUInt32LE(TEXT_AT, 0);
    plc.writeUInt32LE(at, 4);
    plc.writeUInt32LE(page, 8);
    return plc;
  };
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(version, 2);
  main.writeUInt16LE(flags, 10);
  main.writeUInt32LE(characters, 0x4c);
  let tableAt = 0;
  const table = [
    { field: 0x1a2, bytes: clx },
    { field: 0xfa, bytes: place(characterPage) },
    { field: 0x102, bytes: place(paragraphPage) },
  ].map(({ field, bytes }) => {
    main.writeUInt32LE(tableAt, field);
    main.writeUInt32LE(bytes.length, field + 4);
    tableAt += bytes.length;
    return bytes;
  });
  return ole({ WordDocument: Buffer.concat([main, ...pages]), '1Table': Buffer.concat(table) });
}

/** A page with the properties of runs, which fill it from its end. */
function propertiesPage(places: readonly number[], properties: readonly Buffer[], entryBytes: number): Buffer {
  const page = Buffer.alloc(PAGE);
  let free = PAGE - 2;
  places.forEach((place, index) => {
    page.writeUInt32LE(place, 4 * index);
  });
  properties.forEach((bytes, index) => {
    if (bytes.length === 0) return;
    free = (free - bytes.length) & ~1;
    page.set(bytes, free);
    page[4 * places.length + entryBytes * index] = free / 2;
  });
  page[PAGE - 1] = properties.length;
  return page;
}
