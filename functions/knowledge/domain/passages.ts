/** The parts of a document, in the order of reading. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly page?: number }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly page?: number;
      /** The first line of a table, whose columns it names. */
      readonly header?: string;
    };

/** A part of a document that is found and cited as one. */
export interface Passage {
  readonly text: string;
  readonly heading: readonly string[];
  readonly page: number | null;
}

/** Characters of a passage: about what answers one question. */
const TARGET_LENGTH = 500;
const MAX_LENGTH = 900;
const MAX_HEADING_LENGTH = 200;
/** A longer header is not repeated: it would be most of each passage. */
const MAX_HEADER_LENGTH = 300;
/** A shorter page continues with the next one. */
const MIN_PAGE_LENGTH = 150;

/**
 * Passages of a document: whole paragraphs of one section and, if they are long enough, of one page. A paragraph longer than a passage is
 * cut between sentences.
 */
export function* passagesOf(blocks: Iterable<Block>): Generator<Passage> {
  const path: string[] = [];
  let heading: readonly string[] = [];
  let parts: string[] = [];
  let length = 0;
  let page: number | null = null;

  function* flush(): Generator<Passage> {
    const text = parts.join('\n').trim();
    if (text !== '') yield { text, heading, page };
    parts = [];
    length = 0;
  }

  for (const block of blocks) {
    if (block.kind === 'heading') {
      yield* flush();
      const title = oneLine(block.text).slice(0, MAX_HEADING_LENGTH);
      if (title === '') continue;
      path.length = Math.min(path.length, block.level - 1);
      path.push(title);
      heading = [...path];
      continue;
    }
    const blockPage = block.page ?? null;
    if (blockPage !== page && length >= MIN_PAGE_LENGTH) yield* flush();
    for (const piece of block.header === undefined ? pieces(block.text) : tablePieces(block.text, block.header)) {
      if (length > 0 && length + piece.length > (length >= TARGET_LENGTH ? 0 : MAX_LENGTH)) yield* flush();
      if (length === 0) page = blockPage;
      parts.push(piece);
      length += piece.length + 1;
    }
  }
  yield* flush();
}

/** A table as a whole, or its rows put together to pieces of a passage's length, each under the header. */
function* tablePieces(table: string, header: string): Generator<string> {
  const text = table.trim();
  if (text.length <= MAX_LENGTH || header.length > MAX_HEADER_LENGTH) return yield* pieces(text);
  const [, ...rows] = text.split('\n');
  let piece = header;
  for (const part of rows.flatMap((row) => [...pieces(row)])) {
    if (piece !== header && piece.length + part.length >= MAX_LENGTH) {
      yield piece;
      piece = header;
    }
    piece = `${piece}\n${part}`;
    if (piece.length < TARGET_LENGTH) continue;
    yield piece;
    piece = header;
  }
  if (piece !== header) yield piece;
}

/** A paragraph as a whole, or its sentences put together to pieces of a passage's length. */
function* pieces(paragraph: string): Generator<string> {
  const text = paragraph.trim();
  if (text.length <= MAX_LENGTH) {
    if (text !== '') yield text;
    return;
  }
  let piece = '';
  for (const sentence of text.split(/(?<=[.!?。！？]["'”’)\]]?)\s+|\n+/)) {
    if (piece !== '' && piece.length + sentence.length >= TARGET_LENGTH) {
      yield piece;
      piece = '';
    }
    piece = piece === '' ? sentence : `${piece} ${sentence}`;
    while (piece.length > MAX_LENGTH) {
      const end = cutBefore(piece, MAX_LENGTH);
      yield piece.slice(0, end).trim();
      piece = piece.slice(end).trim();
    }
  }
  if (piece !== '') yield piece;
}

/** The last blank before `end`, or `end` itself, never within a surrogate pair. */
function cutBefore(text: string, end: number): number {
  const blank = text.lastIndexOf(' ', end);
  if (blank > end / 2) return blank;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
