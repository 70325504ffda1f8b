import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import { isOle, openOle } from '../../codecs/ole-file.ts';
import { BlockWriter, damaged, type FormatText, MAX_LEVEL, protectedBy } from './format-text.ts';

const WORD = 0xa5ec;
/** The first version whose format this is: Word 97. */
const WORD_97 = 0xc1;
const FLAG = { encrypted: 0x0100, secondTable: 0x0200, obfuscated: 0x8000 };
/** Places in the head of the file. */
const AT = { version: 2, flags: 10, lengths: 0x4c, characters: 0xfa, paragraphs: 0x102, pieces: 0x1a2 };
const MAX_CHARACTERS = 30_000_000;
const PAGE_BYTES = 512;

/**
 * Paragraphs, rows of tables, notes and headings of a .doc of Word 97 or later. Hidden text, deleted text, heads of pages and comments are
 * left out; macros are not read. @throws DocumentUnreadable
 */
export function docBlocks(bytes: Uint8Array): FormatText {
  if (!isOle(bytes))
    throw new DocumentUnreadable('unreadable', 'The file is of another type than its content_type says.');
  try {
    const file = openOle(bytes);
    const main = Buffer.from(file.stream('WordDocument') ?? []);
    if (main.length < AT.pieces + 8 || main.readUInt16LE(0) !== WORD) throw refusal(main);
    const flags = main.readUInt16LE(AT.flags);
    if (flags & (FLAG.encrypted | FLAG.obfuscated)) throw protectedBy('a password');
    if (main.readUInt16LE(AT.version) < WORD_97) throw refusal(main);
    const table = Buffer.from(file.stream(flags & FLAG.secondTable ? '1Table' : '0Table') ?? []);
    const part = (at: number) => {
      const start = main.readUInt32LE(at);
      return table.subarray(start, start + main.readUInt32LE(at + 4));
    };
    const pieces = piecesOf(part(AT.pieces));
    const writer = new BlockWriter();
    const hidden = runsOf(main, part(AT.characters), 1, isHiddenRun).filter(({ value }) => value);
    const paragraphs = runsOf(main, part(AT.paragraphs), 13, paragraphOf);
    readText(main, pieces, { lengths: lengthsOf(main), hidden, paragraphs, writer });
    return writer;
  } catch (error) {
    return damaged(error);
  }
}

function refusal(main: Buffer): DocumentUnreadable {
  return new DocumentUnreadable(
    'unreadable',
    main.length === 0
      ? 'The file is of another type than its content_type says.'
      : 'The file is of a Word before 97. Save it in the present format, .docx.',
  );
}

/** Numbers of characters of the text, its footnotes, heads of pages, macros, comments, endnotes and text boxes, in the order of the file. */
function lengthsOf(main: Buffer): { readonly isRead: boolean; readonly length: number }[] {
  return [true, true, false, false, false, true, true].map((isRead, index) => ({
    isRead,
    length: main.readUInt32LE(AT.lengths + 4 * index),
  }));
}

interface Piece {
  readonly characters: number;
  readonly start: number;
  /** One byte for a letter, of code page 1252; otherwise two. */
  readonly isNarrow: boolean;
}

/** The pieces of text in their order: words typed later are stored in another place. */
function piecesOf(clx: Buffer): Piece[] {
  let at = 0;
  while (clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 2) throw new Error('The file has no table of pieces.');
  const count = Math.floor((clx.readUInt32LE(at + 1) - 4) / 12);
  const [places, properties] = [at + 5, at + 5 + 4 * (count + 1)];
  let total = 0;
  return Array.from({ length: count }, (_, index) => {
    const characters = clx.readUInt32LE(places + 4 * (index + 1)) - clx.readUInt32LE(places + 4 * index);
    total += Math.max(0, characters);
    if (characters < 0 || total > MAX_CHARACTERS) throw new Error('The pieces overlap.');
    const place = clx.readUInt32LE(properties + 8 * index + 2);
    const isNarrow = (place & 0x40000000) !== 0;
    const start = place & 0x3fffffff;
    return { characters, isNarrow, start: isNarrow ? start / 2 : start };
  });
}

interface Run<T> {
  /** Bytes of the file. */
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

/** The properties of runs of bytes: each page of the file has those of a part of it. */
function runsOf<T>(main: Buffer, plc: Buffer, entryBytes: number, toValue: (properties: Buffer) => T): Run<T>[] {
  const runs: Run<T>[] = [];
  const count = Math.max(0, Math.floor((plc.length - 4) / 8));
  for (let index = 0; index < count; index++) {
    const place = (plc.readUInt32LE(4 * (count + 1) + 4 * index) & 0x3fffff) * PAGE_BYTES;
    const page = main.subarray(place, place + PAGE_BYTES);
    if (page.length < PAGE_BYTES) continue;
    const runCount = page[PAGE_BYTES - 1]!;
    if (4 * (runCount + 1) + entryBytes * runCount > PAGE_BYTES) continue;
    for (let run = 0; run < runCount; run++) {
      const offset = 2 * page[4 * (runCount + 1) + entryBytes * run]!;
      const [start, end] = [page.readUInt32LE(4 * run), page.readUInt32LE(4 * run + 4)];
      runs.push({ start, end, value: toValue(propertiesAt(page, offset, entryBytes > 1)) });
    }
  }
  return runs.toSorted((a, b) => a.start - b.start);
}

function propertiesAt(page: Buffer, offset: number, isParagraph: boolean): Buffer {
  if (offset === 0) return Buffer.alloc(0);
  const length = page[offset]!;
  if (!isParagraph) return page.subarray(offset + 1, offset + 1 + length);
  return length === 0
    ? page.subarray(offset + 2, offset + 2 + 2 * page[offset + 1]!)
    : page.subarray(offset + 1, offset + 2 * length);
}

const SPRM = { hidden: 0x083c, deleted: 0x0800, endOfRow: 0x2417, inTable: 0x2416 };
/** Bytes of an operand by the upper bits of its code; 0 where the operand says it. */
const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, 0, 3];
const LONG_OPERANDS = [0xd608, 0xd606];

/** The codes of properties, each with its operand. */
function* propertiesIn(list: Buffer): Generator<readonly [code: number, operand: number]> {
  for (let at = 0; at + 3 <= list.length; ) {
    const code = list.readUInt16LE(at);
    yield [code, list[at + 2]!];
    const bytes = OPERAND_BYTES[code >>> 13]!;
    if (bytes > 0) at += 2 + bytes;
    else if (LONG_OPERANDS.includes(code) && at + 4 <= list.length) at += 3 + list.readUInt16LE(at + 2);
    else at += 3 + list[at + 2]!;
  }
}

function isHiddenRun(properties: Buffer): boolean {
  for (const [code, operand] of propertiesIn(properties))
    if ((code === SPRM.hidden || code === SPRM.deleted) && operand % 0x80 === 1) return true;
  return false;
}

interface Paragraph {
  readonly level: number | null;
  readonly isInTable: boolean;
  readonly isEndOfRow: boolean;
}

const PLAIN: Paragraph = { level: null, isInTable: false, isEndOfRow: false };

function paragraphOf(properties: Buffer): Paragraph {
  if (properties.length < 2) return PLAIN;
  // Styles 1 to 9 are the headings.
  const style = properties.readUInt16LE(0);
  const codes = [...propertiesIn(properties.subarray(2))].filter(([, operand]) => operand === 1).map(([code]) => code);
  return {
    level: style >= 1 && style <= MAX_LEVEL ? style : null,
    isInTable: codes.includes(SPRM.inTable),
    isEndOfRow: codes.includes(SPRM.endOfRow),
  };
}

interface TextParts {
  readonly lengths: readonly { readonly isRead: boolean; readonly length: number }[];
  readonly hidden: readonly Run<boolean>[];
  readonly paragraphs: readonly Run<Paragraph>[];
  readonly writer: BlockWriter;
}

const MARK = { cell: 0x07, line: 0x0b, page: 0x0c, paragraph: 0x0d, field: 0x13, shown: 0x14, endOfField: 0x15 };
const HYPHEN = 0x1e;

function readText(main: Buffer, pieces: readonly Piece[], { lengths, hidden, paragraphs, writer }: TextParts): void {
  const parts = lengths.map((part) => ({ ...part }));
  /** Of each open field, whether its code is over: what follows is shown. */
  const fields: boolean[] = [];
  let codesOpen = 0;
  let isTable = false;
  writer.openParagraph();
  const end = (paragraph: Paragraph) => {
    // The mark at the end of a paragraph says whether it is in a cell.
    if (paragraph.isInTable && !isTable) writer.moveIntoTable();
    else if (!paragraph.isInTable && isTable) writer.closeTable();
    isTable = paragraph.isInTable;
    writer.setLevel(paragraph.level);
    writer.closeParagraph();
    writer.openParagraph();
    if (paragraph.isEndOfRow) writer.endRow();
  };
  let part = parts.shift();
  for (const { characters, start, isNarrow } of pieces) {
    const size = isNarrow ? 1 : 2;
    const text = decoded(main.subarray(start, start + characters * size), isNarrow);
    const isHidden = cursor(hidden);
    const paragraphAt = cursor(paragraphs);
    for (let index = 0; index < text.length; index++) {
      while (part !== undefined && part.length === 0) part = parts.shift();
      if (part === undefined) break;
      part.length -= 1;
      if (!part.isRead) continue;
      const at = start + index * size;
      const code = text.charCodeAt(index);
      if (code === MARK.field) {
        fields.push(false);
        codesOpen += 1;
      } else if (code === MARK.shown || code === MARK.endOfField) {
        if (fields.pop() === false) codesOpen -= 1;
        if (code === MARK.shown) fields.push(true);
      } else if (code === MARK.paragraph || code === MARK.cell || code === MARK.page) end(paragraphAt(at) ?? PLAIN);
      else if (codesOpen > 0) continue;
      else if (isHidden(at)) writer.hasHidden = true;
      else if (code === MARK.line) writer.write('\n');
      else if (code === HYPHEN) writer.write('-');
      else if (code >= 32 || code === 9) writer.write(text[index]!);
    }
  }
  end(PLAIN);
}

/** Letters of code page 1252, or of UTF-16. */
function decoded(bytes: Buffer, isNarrow: boolean): string {
  return isNarrow ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString('utf16le');
}

/** The value of the run at a place; places are asked for in ascending order. */
function cursor<T>(runs: readonly Run<T>[]): (at: number) => T | null {
  let index = -1;
  return (at) => {
    if (index < 0) index = lowerBound(runs, at);
    while (index < runs.length && runs[index]!.end <= at) index += 1;
    const run = runs[index];
    return run !== undefined && run.start <= at ? run.value : null;
  };
}

function lowerBound<T>(runs: readonly Run<T>[], at: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
