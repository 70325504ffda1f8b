/** A place in a guide that has the sought words. */
export interface Found {
  readonly page: string;
  /** Heading above the place; the guide's own one at its start. */
  readonly heading: string;
  readonly line: string;
}

const MAX_FOUND = 20;
const MAX_LINE = 160;

/** Lines of guides that have all the words, headings first. */
export function searchIn(
  guides: readonly { readonly page: string; readonly text: string }[],
  sought: string,
): readonly Found[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const [headings, lines]: [Found[], Found[]] = [[], []];
  for (const { page, text } of guides) {
    let heading = '';
    for (const line of text.split('\n')) {
      const title = /^#{1,4} (.+)$/.exec(line)?.[1];
      if (title !== undefined) heading = plain(title);
      if (!hasAll(`${title === undefined ? '' : heading} ${line}`)) continue;
      (title === undefined ? lines : headings).push({
        page,
        heading,
        line: title === undefined ? around(line, words[0]!) : '',
      });
    }
  }
  return [...headings, ...lines].slice(0, MAX_FOUND);
}

/** The part of a line around a word, without marks of Markdown. */
function around(line: string, word: string): string {
  const text = plain(line);
  const at = Math.max(0, text.toLowerCase().indexOf(word) - MAX_LINE / 2);
  const part = text.slice(at, at + MAX_LINE);
  return `${at > 0 ? '…' : ''}${part}${at + MAX_LINE < text.length ? '…' : ''}`;
}

function plain(line: string): string {
  return line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[\s>#|*-]+|[`*|]/g, '')
    .trim();
}
