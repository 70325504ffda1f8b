import { Parser } from 'htmlparser2';

export interface PageHead {
  readonly title: string | null;
  /** Absolute addresses, in their order. */
  readonly links: readonly string[];
  /** False: the page asks not to be indexed. */
  readonly isIndexable: boolean;
}

const MAX_LINKS = 2_000;
const MAX_TITLE_LENGTH = 1_000;

/** Title, links and robots directives that a crawler needs of a page, read as a stream of tags. */
export function pageHead(html: string, address: string): PageHead {
  let base = address;
  let title: string | null = null;
  let isInTitle = false;
  let isIndexable = true;
  let follows = true;
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href, content = '', name: meta = '', rel = '' }) {
      if (name === 'title' && title === null) {
        title = '';
        isInTitle = true;
      } else if (name === 'base' && href !== undefined) base = URL.parse(href, address)?.href ?? base;
      else if (name === 'meta' && /^(?:robots|tripod)$/i.test(meta)) {
        isIndexable &&= !/\b(?:noindex|none)\b/i.test(content);
        follows &&= !/\b(?:nofollow|none)\b/i.test(content);
      } else if (name === 'a' && href !== undefined && links.length < MAX_LINKS && !/\bnofollow\b/i.test(rel)) {
        const link = URL.parse(href, base);
        if (link !== null) links.push(link.href);
      }
    },
    ontext(text) {
      if (isInTitle && title !== null && title.length < MAX_TITLE_LENGTH) title += text;
    },
    onclosetag(name) {
      if (name === 'title') isInTitle = false;
    },
  });
  parser.end(html);
  return { title: title && tidy(title), links: follows ? links : [], isIndexable };
}

/** A title on one line; null without one. */
function tidy(title: string): string | null {
  const words = title.split(/[\s\p{Cc}]+/u).filter((word) => word !== '');
  return words.length === 0 ? null : words.join(' ');
}
