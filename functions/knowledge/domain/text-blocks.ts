import type { Block } from './passages.ts';
import { withoutContents } from './running-heads.ts';

/** Paragraphs of plain text: lines between empty ones. */
export function* plainBlocks(text: string): Generator<Block> {
  for (const paragraph of paragraphsOf(withoutContents(text).split(/\r\n?|\n/)))
    yield { kind: 'text', text: paragraph };
}

/** An entry of a table of contents: a list item that is a link within the page. */
const CONTENTS_ITEM = /^[ \t]{0,20}(?:[-*+]|\d{1,9}[.)])[ \t]+\[[^[\]\n]{0,300}\]\(#[^()\s]{0,300}\)[ \t]*$/;

const ATX_HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)/;
const SETEXT_UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^ {0,3}(```|~~~)/;
const MAX_SETEXT_LENGTH = 200;

/** Paragraphs and headings of Markdown, without its marks. Code is text like any other. */
export function* markdownBlocks(text: string): Generator<Block> {
  const lines = text.split(/\r\n?|\n/);
  let paragraph: string[] = [];
  let header: string | undefined;
  let fence: string | null = null;
  function* flush(): Generator<Block> {
    const joined = paragraph.join('\n').trim();
    if (joined !== '') yield { kind: 'text', text: joined, ...(header && { header }) };
    paragraph = [];
    header = undefined;
  }
  for (let i = isFrontMatter(lines) ? lines.indexOf('---', 1) + 1 : 0; i < lines.length; i++) {
    const line = lines[i]!;
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark === fence) fence = null;
      else paragraph.push(line);
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const atx = ATX_HEADING.exec(line);
    if (atx) {
      yield* flush();
      yield { kind: 'heading', level: atx[1]!.length, text: withoutMarks(withoutAnchor(withoutClosing(atx[2]!))) };
      continue;
    }
    const underline = SETEXT_UNDERLINE.exec(line)?.[1];
    if (underline !== undefined) {
      const title = paragraph.pop();
      yield* flush();
      if (title !== undefined && title.length <= MAX_SETEXT_LENGTH)
        yield { kind: 'heading', level: underline.startsWith('=') ? 1 : 2, text: withoutAnchor(title) };
      else if (title !== undefined) yield { kind: 'text', text: title };
      continue;
    }
    if (header === undefined && paragraph.length > 0 && isTableRule(line)) {
      const names = paragraph.pop()!.trim();
      yield* flush();
      paragraph = [names];
      header = names;
      continue;
    }
    if (CONTENTS_ITEM.test(line)) continue;
    if (line.trim() === '') yield* flush();
    else paragraph.push(withoutMarks(line));
  }
  yield* flush();
}

/** Whether this is the line below the names of a table's columns. */
function isTableRule(line: string): boolean {
  const trimmed = line.trim();
  if (!trimmed.includes('|')) return false;
  const cells = trimmed.slice(Number(trimmed.startsWith('|')), trimmed.endsWith('|') ? -1 : undefined).split('|');
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function isFrontMatter(lines: readonly string[]): boolean {
  return lines[0] === '---' && lines.indexOf('---', 1) > 0;
}

/** The words of a line: without emphasis, addresses of links, marks of lists and quotes. */
function withoutMarks(line: string): string {
  return line
    .replace(/^[ \t]{0,20}(?:[-*+>]|\d{1,9}[.)])[ \t]+/, '')
    .replace(/!?\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}(?:[ \t]"[^"]{0,500}")?\)/g, '$1')
    .replace(/\*{1,3}|__|~~|`/g, '')
    .replaceAll('|', ' ')
    .replace(/^[ \t:-]{3,}$/, '');
}

/** A heading without the address that some programs let it carry, such as `{#refunds}`, or its form in MDX, a comment. */
function withoutAnchor(heading: string): string {
  const text = heading.trimEnd();
  if (!text.endsWith('}')) return heading;
  const start = text.lastIndexOf('{');
  return /^\{(?:[#.][^{}]{1,300}|\/\*[^{}]{0,300}\*\/)\}$/.test(text.slice(start))
    ? text.slice(0, start).trimEnd()
    : heading;
}

/** A heading without the number signs that may close it. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 0 && ' \t#'.includes(heading[end - 1]!)) end -= 1;
  return heading.slice(0, end);
}

function* paragraphsOf(lines: readonly string[]): Generator<string> {
  let paragraph: string[] = [];
  for (const line of lines)
    if (line.trim() !== '') paragraph.push(line);
    else if (paragraph.length > 0) {
      yield paragraph.join('\n');
      paragraph = [];
    }
  if (paragraph.length > 0) yield paragraph.join('\n');
}
