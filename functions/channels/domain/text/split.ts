/** A text between code fences, or a code block with its fences. */
interface Block {
  readonly text: string;
  /** The line that opens the block; null for plain text. */
  readonly fence: string | null;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Looking further back than this for a good place to break costs more than it gives. */
const MIN_FILL = 0.5;

/**
 * Parts of at most `maxLength` UTF-16 units. A part ends between paragraphs, lines or words; a word is broken only where it
 * is longer than a part, and then between characters as they are seen. A code block stays in one part, or is closed and
 * opened again where it is longer than one.
 */
export function splitText(text: string, maxLength: number): readonly string[] {
  const parts: string[] = [];
  let current = '';
  const flush = () => {
    const trimmed = trimmedLines(current);
    if (trimmed !== '') parts.push(trimmed);
    current = '';
  };
  for (const { text: block, fence } of blocksOf(text.toWellFormed())) {
    if (current.length + block.length <= maxLength) {
      current += block;
      continue;
    }
    if (fence !== null) {
      flush();
      for (const piece of codePieces(block, fence, maxLength)) {
        flush();
        current = piece;
      }
      continue;
    }
    let rest = block;
    while (current.length + rest.length > maxLength) {
      const cut = breakAt(rest, maxLength - current.length, current.trim() !== '');
      current += rest.slice(0, cut);
      flush();
      // The blank that a part ends at begins no other one; an indent behind a line break stays.
      rest = rest.slice(rest[cut - 1] !== '\n' && /[ \t]/.test(rest[cut] ?? '') ? cut + 1 : cut);
    }
    current += rest;
  }
  flush();
  return parts;
}

/** Without blank lines around it, and without blanks at its end; the indent of its first line stays. */
function trimmedLines(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? '' : lines.slice(first).join('\n').trimEnd();
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let plain: string[] = [];
  let code: string[] = [];
  let fence: string | null = null;
  const endPlain = () => {
    if (plain.length > 0) blocks.push({ text: plain.join(''), fence: null });
    plain = [];
  };
  const endCode = () => {
    if (fence !== null) blocks.push({ text: code.join(''), fence });
    code = [];
    fence = null;
  };
  for (const line of text.match(/[^\n]+\n?|\n/g) ?? []) {
    const marker = FENCE.exec(line)?.[1];
    if (fence === null) {
      if (marker === undefined) plain.push(line);
      else {
        endPlain();
        fence = line.trimEnd();
        code.push(line);
      }
      continue;
    }
    code.push(line);
    const opened = FENCE.exec(fence)![1]!;
    if (marker?.startsWith(opened) && line.trim() === marker) endCode();
  }
  endPlain();
  endCode();
  return blocks;
}

/** A code block as pieces that are code blocks themselves; a single piece where it fits. */
function codePieces(block: string, opening: string, maxLength: number): string[] {
  if (block.length <= maxLength) return [block];
  const closing = FENCE.exec(opening)![1]!;
  // A fence that leaves little room is no code: it is broken as any text is.
  const head = opening.length > maxLength / 4 ? closing : opening;
  const room = maxLength - head.length - closing.length - 2;
  if (room < 1) return hardPieces(block, maxLength);
  const lines = block.split('\n').slice(1);
  while (lines.length > 0 && ['', closing].includes(lines.at(-1)!.trim())) lines.pop();
  const pieces: string[] = [];
  let current: string[] = [];
  let length = 0;
  const flush = () => {
    if (current.length > 0) pieces.push(`${head}\n${current.join('\n')}\n${closing}`);
    current = [];
    length = 0;
  };
  for (const line of lines.flatMap((each) => (each === '' ? [''] : hardPieces(each, room)))) {
    if (length + line.length + 1 > room + 1) flush();
    current.push(line);
    length += line.length + 1;
  }
  flush();
  return pieces;
}

function hardPieces(text: string, maxLength: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > maxLength) {
    const cut = breakAt(rest, maxLength, false);
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...pieces, rest];
}

/**
 * Length of the beginning of `text` that goes into `room`, which is less than all of it.
 * @param mayBeNothing whether 0 is an answer: something stands before it in the part already.
 */
function breakAt(text: string, room: number, mayBeNothing: boolean): number {
  const within = text.slice(0, room + 1);
  const least = room * MIN_FILL;
  const paragraph = within.lastIndexOf('\n\n') + 2;
  if (paragraph > Math.max(1, least) && paragraph <= room) return paragraph;
  const line = within.lastIndexOf('\n') + 1;
  if (line > Math.max(0, least) && line <= room) return line;
  const blank = lastBlank(within);
  if (blank > 0) return Math.min(blank, room);
  if (mayBeNothing) return 0;
  return characterBreak(text, room);
}

/** Place of the last blank in a text, behind the word that it ends; 0 where there is none. */
function lastBlank(text: string): number {
  for (let i = text.length - 1; i > 0; i--) if (/\s/.test(text[i]!)) return i;
  return 0;
}

/** Longer than any character of several code points that is met in practice. */
const MAX_CHARACTER_LENGTH = 64;
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The last place up to `room` that is between two characters as they are seen; at the least not within a surrogate pair. */
function characterBreak(text: string, room: number): number {
  const from = Math.max(0, room - MAX_CHARACTER_LENGTH);
  const start = isWithinPair(text, from) ? from + 1 : from;
  const around = text.slice(start, room + MAX_CHARACTER_LENGTH);
  let best = 0;
  for (const { index } of characters.segment(around)) if (start + index <= room) best = start + index;
  if (best > start) return best;
  return isWithinPair(text, room) && room > 1 ? room - 1 : room;
}

function isWithinPair(text: string, index: number): boolean {
  return /[\ud800-\udbff]/.test(text[index - 1] ?? '') && /[\udc00-\udfff]/.test(text[index] ?? '');
}
