import iconv from 'iconv-lite';
import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import { BlockWriter, type FormatText, MAX_LEVEL } from './format-text.ts';

const MARK = '{\\rtf';
const MAX_GROUPS = 1_000;

/** Groups that are not text of the page, or that repeat it. Of the unknown ones that a `*` marks, none is read. */
const UNREAD = new Set([
  ...['fonttbl', 'colortbl', 'stylesheet', 'info', 'pict', 'object', 'fldinst', 'xmlnstbl', 'listtext', 'pntext'],
  ...['header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf', 'annotation', 'sp'],
  ...['nonshppict', 'shprslt', 'xe', 'tc', 'tcn', 'bkmkstart', 'bkmkend', 'atnid', 'atnauthor', 'nonesttables'],
]);
/** Marked groups that are read all the same. */
const READ = new Set(['shpinst', 'shptxt', 'upr', 'ud', 'nesttableprops', 'objresult']);
const BREAKS = new Set(['par', 'sect', 'page', 'column']);
const LETTERS: Readonly<Record<string, string>> = {
  ...{ tab: ' ', line: '\n', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', bullet: '•' },
  ...{ endash: '–', emdash: '—', emspace: ' ', enspace: ' ', '~': ' ', _: '-' },
};
/** Code pages by the character sets of fonts. */
const CODE_PAGES: Readonly<Record<number, number>> = {
  ...{ 0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};

interface Group {
  isUnread: boolean;
  /** The kind of the group, if it matters: of fonts, styles and notes. */
  kind: 'fonts' | 'styles' | 'footnote' | null;
  isHidden: boolean;
  font: number;
  style: number;
  /** Characters that follow a letter by its number, for older programs. */
  skipped: number;
}

/**
 * Paragraphs, rows of tables, footnotes and headings of an .rtf. Hidden text, heads of pages, comments, pictures and objects are left out, and
 * nothing in it is run. @throws DocumentUnreadable
 */
export function rtfBlocks(bytes: Uint8Array): FormatText {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isRtf(text))
    throw new DocumentUnreadable('unreadable', 'The file is of another type than its content_type says.');
  const reader = new RtfReader(text);
  reader.read();
  return reader.writer;
}

export function isRtf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MARK.length)).toString('latin1') === MARK;
}

const [OPEN, CLOSE, BACKSLASH, QUOTE, HYPHEN, SPACE] = [..."{}\\'- "].map((letter) => letter.charCodeAt(0)) as [
  ...[number, number, number, number, number, number],
];
const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const MAX_NAME = 32;
const MAX_DIGITS = 10;

class RtfReader {
  readonly writer = new BlockWriter();
  readonly #text: Buffer;
  #at = 0;
  #group: Group = { isUnread: false, kind: null, isHidden: false, font: -1, style: 0, skipped: 1 };
  readonly #groups: Group[] = [];
  #isMarked = false;
  /** Fallback characters that are left to skip. */
  #skip = 0;
  #codePage = 1252;
  #defaultFont = -1;
  readonly #fonts = new Map<number, number>();
  readonly #levels = new Map<number, number>();
  /** Bytes of one code page that wait to be decoded together: a letter can have two. */
  #bytes: number[] = [];
  #isRow = false;

  constructor(text: Buffer) {
    this.#text = text;
  }

  read(): void {
    const text = this.#text;
    this.writer.openParagraph();
    while (this.#at < text.length) {
      const code = text[this.#at++]!;
      if (code === OPEN) this.#open();
      else if (code === CLOSE) this.#close();
      else if (code === BACKSLASH) this.#control();
      else if (code >= SPACE) this.#byte(code);
    }
    this.#decode();
    this.#endRow();
    this.writer.closeParagraph();
  }

  #open(): void {
    this.#decode();
    if (this.#groups.length === MAX_GROUPS)
      throw new DocumentUnreadable('unreadable', `The file has more than ${MAX_GROUPS} groups in each other.`);
    this.#groups.push(this.#group);
    this.#group = { ...this.#group, kind: this.#group.kind === 'footnote' ? null : this.#group.kind };
    this.#skip = 0;
    this.#isMarked = false;
  }

  #close(): void {
    this.#decode();
    if (this.#group.kind === 'footnote') {
      this.writer.closeParagraph();
      this.writer.closeNote();
    }
    this.#group = this.#groups.pop() ?? this.#group;
    this.#skip = 0;
  }

  #control(): void {
    const text = this.#text;
    const first = text[this.#at] ?? SPACE;
    if (!isLetter(first)) {
      this.#at += 1;
      if (first === QUOTE) {
        const byte = Number.parseInt(text.toString('latin1', this.#at, this.#at + 2), 16);
        this.#at += 2;
        if (!Number.isNaN(byte)) this.#byte(byte);
      } else if (first === BACKSLASH || first === OPEN || first === CLOSE) this.#byte(first);
      else if (first === 10 || first === 13) this.#word('par', null);
      else if (first === '*'.charCodeAt(0)) this.#isMarked = true;
      else this.#word(String.fromCharCode(first), null);
      return;
    }
    const start = this.#at;
    while (this.#at - start < MAX_NAME && isLetter(text[this.#at] ?? SPACE)) this.#at += 1;
    const name = text.toString('latin1', start, this.#at);
    const digits = this.#at;
    if (text[this.#at] === HYPHEN) this.#at += 1;
    while (this.#at - digits < MAX_DIGITS && isDigit(text[this.#at] ?? SPACE)) this.#at += 1;
    const number = this.#at === digits ? null : Number(text.toString('latin1', digits, this.#at));
    if (text[this.#at] === SPACE) this.#at += 1;
    this.#word(name, Number.isNaN(number) ? null : number);
  }

  #word(name: string, number: number | null): void {
    const group = this.#group;
    const isMarked = this.#isMarked;
    this.#isMarked = false;
    if (name === 'bin') {
      this.#at += Math.max(0, number ?? 0);
      return;
    }
    if (name === 'u') {
      this.#unicode(number ?? 0);
      return;
    }
    this.#decode();
    this.#skip = 0;
    if (name === 'fonttbl') group.kind = 'fonts';
    if (name === 'stylesheet') group.kind = 'styles';
    if (UNREAD.has(name) || (isMarked && !READ.has(name))) {
      group.isUnread = true;
      return;
    }
    switch (name) {
      case 'uc':
        group.skipped = Math.max(0, number ?? 1);
        return;
      case 'ansicpg':
        this.#codePage = number ?? this.#codePage;
        return;
      case 'deff':
        this.#defaultFont = number ?? 0;
        return;
      case 'f':
        group.font = number ?? 0;
        return;
      case 'fcharset':
        if (group.kind === 'fonts' && CODE_PAGES[number ?? 0] !== undefined)
          this.#fonts.set(group.font, CODE_PAGES[number ?? 0]!);
        return;
      case 's':
        group.style = number ?? 0;
        if (group.kind === null) this.writer.setLevel(this.#levels.get(group.style) ?? null);
        return;
      case 'outlinelevel': {
        const level = (number ?? MAX_LEVEL) + 1;
        if (level < 1 || level > MAX_LEVEL) return;
        if (group.kind === 'styles') this.#levels.set(group.style, level);
        else if (group.kind === null) this.writer.setLevel(level);
        return;
      }
      case 'plain':
        [group.isHidden, group.font] = [false, this.#defaultFont];
        return;
      case 'v':
        group.isHidden = number !== 0;
        return;
      case 'deleted':
        group.isUnread = number !== 0 || group.isUnread;
        return;
    }
    if (!group.isUnread) this.#layout(name);
  }

  #layout(name: string): void {
    switch (name) {
      case 'footnote':
        this.#group.kind = 'footnote';
        this.writer.openNote();
        this.writer.openParagraph();
        break;
      case 'pard':
        this.writer.setLevel(null);
        break;
      case 'trowd':
        if (!this.#isRow) this.writer.openTable();
        this.#isRow = true;
        break;
      case 'cell':
      case 'nestcell':
        this.#endParagraph();
        break;
      case 'row':
        this.#endParagraph();
        this.#endRow();
        break;
      default:
        if (BREAKS.has(name)) this.#endParagraph();
        else if (LETTERS[name] !== undefined) this.#write(LETTERS[name]);
    }
  }

  #endParagraph(): void {
    this.writer.closeParagraph();
    this.writer.openParagraph();
  }

  #endRow(): void {
    if (this.#isRow) this.writer.closeTable();
    this.#isRow = false;
  }

  #byte(code: number): void {
    if (this.#skip > 0) this.#skip -= 1;
    else if (!this.#group.isUnread) this.#bytes.push(code);
  }

  #unicode(number: number): void {
    this.#decode();
    if (!this.#group.isUnread) this.#write(String.fromCharCode(number & 0xffff));
    this.#skip = this.#group.skipped;
  }

  #decode(): void {
    if (this.#bytes.length === 0) return;
    const font = this.#group.font < 0 ? this.#defaultFont : this.#group.font;
    const bytes = Buffer.from(this.#bytes);
    this.#bytes = [];
    // The letters of a font for Western texts can be Korean all the same: programs change fonts without saying so.
    const codePages = [this.#fonts.get(font), this.#codePage].filter((page) => page !== undefined && page !== 1252);
    const texts = codePages
      .map((page) => `cp${page}`)
      .filter((page) => iconv.encodingExists(page))
      .map((page) => iconv.decode(bytes, page));
    this.#write(texts.find((text) => !text.includes('\ufffd')) ?? iconv.decode(bytes, 'cp1252'));
  }

  #write(text: string): void {
    if (!this.#group.isHidden) this.writer.write(text);
    else if (text.trim() !== '') this.writer.hasHidden = true;
  }
}
