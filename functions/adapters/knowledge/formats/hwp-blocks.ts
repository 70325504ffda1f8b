import { inflateRawSync } from 'node:zlib';
import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import { isOle, openOle } from '../../codecs/ole-file.ts';
import { BlockWriter, damaged, type FormatText, MAX_LEVEL, protectedBy } from './format-text.ts';

const SIGNATURE = 'HWP Document File';
const MAX_UNPACKED_BYTES = 256 * 2 ** 20;
const MAX_SECTIONS = 10_000;

/** Bits of the properties in the stream `FileHeader`. */
const FLAGS = { packed: 1, password: 1 << 1, distribution: 1 << 2, drm: 1 << 4, certificate: (1 << 8) | (1 << 10) };
/** Tags of records. */
const TAG = { paraShape: 25, paragraph: 66, text: 67, control: 71, list: 72, table: 77 };
const LONG_RECORD = 0xfff;

/**
 * Paragraphs, rows of tables, footnotes and headings of a .hwp of Hangul 5.0 or later: an OLE container whose sections are streams of
 * records. Heads of pages, hidden comments and memos are left out, scripts are not read.
 * @throws DocumentUnreadable
 */
export function hwpBlocks(bytes: Uint8Array): FormatText {
  if (Buffer.from(bytes.subarray(0, 32)).toString('latin1').startsWith(SIGNATURE))
    throw new DocumentUnreadable(
      'unreadable',
      'The file is a .hwp of Hangul 3 or 97. Save it in the present format, .hwpx.',
    );
  if (!isOle(bytes)) throw notHwp();
  try {
    const file = openOle(bytes);
    const header = Buffer.from(file.stream('FileHeader') ?? []);
    if (!header.toString('latin1', 0, 32).startsWith(SIGNATURE) || header.length < 40) throw notHwp();
    const flags = header.readUInt32LE(36);
    refuseProtected(flags);
    let left = MAX_UNPACKED_BYTES;
    const unpacked = (path: string) => {
      const stream = file.stream(path);
      if (stream === null) return null;
      const content = flags & FLAGS.packed ? inflated(stream, left) : Buffer.from(stream);
      left -= content.length;
      return content;
    };
    const levels = outlineLevels(unpacked('DocInfo') ?? Buffer.alloc(0));
    const writer = new BlockWriter();
    for (let index = 0; index < MAX_SECTIONS; index++) {
      const section = unpacked(`BodyText/Section${index}`);
      if (section === null) break;
      readSection(section, levels, writer);
    }
    return writer;
  } catch (error) {
    return damaged(error);
  }
}

function notHwp(): DocumentUnreadable {
  return new DocumentUnreadable('unreadable', 'The file is of another type than its content_type says.');
}

function refuseProtected(flags: number): void {
  if (flags & FLAGS.password) throw protectedBy('a password');
  if (flags & FLAGS.distribution) throw protectedBy('the form for distribution (배포용 문서), which encrypts its text');
  if (flags & (FLAGS.drm | FLAGS.certificate)) throw protectedBy('a certificate or DRM');
}

function inflated(stream: Uint8Array, maxBytes: number): Buffer {
  try {
    return inflateRawSync(stream, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new DocumentUnreadable(
      'too_large',
      `The text of the file has more than ${MAX_UNPACKED_BYTES / 2 ** 20} MB when it is unpacked. Split it.`,
      { cause: error },
    );
  }
}

interface HwpRecord {
  readonly tag: number;
  readonly level: number;
  readonly data: Buffer;
}

function* recordsOf(stream: Buffer): Generator<HwpRecord> {
  for (let at = 0; at + 4 <= stream.length; ) {
    const head = stream.readUInt32LE(at);
    at += 4;
    let size = head >>> 20;
    if (size === LONG_RECORD) {
      size = stream.readUInt32LE(at);
      at += 4;
    }
    if (at + size > stream.length) throw new Error('A record is cut short.');
    yield { tag: head & 0x3ff, level: (head >>> 10) & 0x3ff, data: stream.subarray(at, at + size) };
    at += size;
  }
}

/** Of each form of paragraphs, the level of its headings; null for texts. */
function outlineLevels(docInfo: Buffer): (number | null)[] {
  const levels: (number | null)[] = [];
  for (const { tag, data } of recordsOf(docInfo)) {
    if (tag !== TAG.paraShape) continue;
    const shape = data.readUInt32LE(0);
    const isOutline = ((shape >>> 23) & 3) === 1;
    const level = ((shape >>> 25) & 7) + 1;
    levels.push(isOutline && level <= MAX_LEVEL ? level : null);
  }
  return levels;
}

/** Controls by their names: whose text is not that of the page. */
const UNREAD_CONTROLS = new Set(['head', 'foot', 'tcmt', '%%me']);
const HIDDEN_CONTROL = 'tcmt';
const TABLE_CONTROL = 'tbl ';

interface Table {
  /** That of its control: deeper records belong to the table. */
  readonly level: number;
  row: number;
}

function readSection(stream: Buffer, levels: readonly (number | null)[], writer: BlockWriter): void {
  const tables: Table[] = [];
  let unreadLevel: number | null = null;
  let level: number | null = null;
  const closeTo = (depth: number) => {
    for (; tables.length > 0 && tables.at(-1)!.level >= depth; tables.pop()) writer.closeTable();
    if (unreadLevel !== null && unreadLevel >= depth) unreadLevel = null;
  };
  for (const { tag, level: depth, data } of recordsOf(stream)) {
    closeTo(depth);
    if (unreadLevel !== null) continue;
    const table = tables.at(-1);
    switch (tag) {
      case TAG.control: {
        const name = data.toString('latin1', 0, 4).split('').toReversed().join('');
        if (name === HIDDEN_CONTROL) writer.hasHidden = true;
        if (UNREAD_CONTROLS.has(name)) unreadLevel = depth;
        else if (name === TABLE_CONTROL) {
          tables.push({ level: depth, row: 0 });
          writer.openTable();
        }
        break;
      }
      case TAG.table:
        // A table of one cell is a frame.
        if (table !== undefined && data.length >= 8 && data.readUInt16LE(4) * data.readUInt16LE(6) === 1) {
          writer.closeTable();
          tables.pop();
        }
        break;
      case TAG.list:
        // The row of a cell; lists of other controls are shorter.
        if (table !== undefined && depth === table.level + 1 && data.length >= 12) {
          const row = data.readUInt16LE(10);
          if (row !== table.row) writer.endRow();
          table.row = row;
        }
        break;
      case TAG.paragraph:
        level = data.length >= 10 ? (levels[data.readUInt16LE(8)] ?? null) : null;
        break;
      case TAG.text:
        writer.add(textOf(data), level);
        break;
    }
  }
  closeTo(0);
}

const CONTROL_CODES = 32;
const LINE_BREAK = 10;
const TAB = 9;
/** Codes that are letters by themselves: breaks, hyphens and spaces. All others are followed by seven words that are not text. */
const SINGLE = new Set([0, LINE_BREAK, 13, 24, 25, 26, 27, 28, 29, 30, 31]);
const SPACES = new Set([TAB, 30, 31]);
const HYPHEN = 24;
const CONTROL_WORDS = 8;

function textOf(data: Buffer): string {
  let text = '';
  let start = 0;
  let at = 0;
  const flush = () => {
    text += data.toString('utf16le', start, at);
  };
  while (at + 2 <= data.length) {
    const code = data.readUInt16LE(at);
    if (code >= CONTROL_CODES) {
      at += 2;
      continue;
    }
    flush();
    if (code === LINE_BREAK) text += '\n';
    else if (code === HYPHEN) text += '-';
    else if (SPACES.has(code)) text += ' ';
    at += SINGLE.has(code) ? 2 : 2 * CONTROL_WORDS;
    start = at;
  }
  flush();
  return text;
}
