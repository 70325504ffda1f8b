import { Parser } from 'htmlparser2';
import type { Block } from '../../../knowledge/domain/passages.ts';

const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'svg', 'math', 'iframe', 'object', 'title', 'nav']);
const INLINE = new Set([
  ...[
    'a',
    'abbr',
    'b',
    'bdi',
    'bdo',
    'cite',
    'code',
    'data',
    'del',
    'dfn',
    'em',
    'font',
    'i',
    'img',
    'ins',
    'kbd',
    'label',
  ],
  ...[
    'mark',
    'q',
    'rp',
    'rt',
    'ruby',
    's',
    'samp',
    'small',
    'span',
    'strike',
    'strong',
    'sub',
    'sup',
    'time',
    'tt',
    'u',
    'var',
    'wbr',
  ],
]);
const HEADING = /^h[1-6]$/;
const PARSED_AT_ONCE = 64 * 1024;

/**
 * Paragraphs and headings of a page, read as a stream of tags, so that memory does not grow with the depth of nesting. Scripts, lists of
 * links and other parts that are not text of the page are skipped.
 */
export function* htmlBlocks(html: string): Generator<Block> {
  let blocks: Block[] = [];
  let text = '';
  let level: number | null = null;
  let unread = 0;
  const flush = () => {
    const words = text.replace(/[^\S\n]+/g, ' ').trim();
    if (words !== '')
      blocks.push(level === null ? { kind: 'text', text: words } : { kind: 'heading', level, text: words });
    text = '';
  };
  const parser = new Parser({
    onopentagname(name) {
      if (UNREAD.has(name)) unread += 1;
      if (name === 'br') text += '\n';
      else if (name === 'td' || name === 'th') text += ' ';
      else if (!INLINE.has(name)) {
        flush();
        level = HEADING.test(name) ? Number(name[1]) : level;
      }
    },
    ontext(words) {
      if (unread === 0) text += words.replaceAll('\n', ' ');
    },
    onclosetag(name) {
      if (UNREAD.has(name)) unread -= 1;
      if (name === 'br' || name === 'td' || name === 'th' || INLINE.has(name)) return;
      flush();
      if (HEADING.test(name)) level = null;
    },
  });
  for (let at = 0; at < html.length; at += PARSED_AT_ONCE) {
    parser.write(html.slice(at, at + PARSED_AT_ONCE));
    yield* blocks;
    blocks = [];
  }
  parser.end();
  flush();
  yield* blocks;
}
