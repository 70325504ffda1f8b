/** Lines at the head and at the foot of a page that may be repeated on others. */
const EDGE_LINES = 2;
/** A page with fewer lines has neither. */
const MIN_LINES = 4;
const MAX_HEAD_LENGTH = 120;
const MIN_PAGES = 4;
/** Heads may alternate, or change with the chapter. */
const MIN_SHARE = 0.2;

/**
 * The texts of pages without lines repeated on many of them: titles at the head, numbers and dates at the foot. Numbers within such a
 * line may differ from page to page.
 */
export function withoutRunningHeads(pages: readonly string[]): string[] {
  const lines = pages.map((page) => page.split('\n'));
  const counts = new Map<string, number>();
  for (const page of lines)
    for (const key of new Set(edgesOf(page).map((index) => masked(page[index]!))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  const least = Math.max(MIN_PAGES, pages.length * MIN_SHARE);
  return lines.map((page) => {
    const repeated = new Set(edgesOf(page).filter((index) => (counts.get(masked(page[index]!)) ?? 0) >= least));
    return page.filter((_, index) => !repeated.has(index)).join('\n');
  });
}

/** Places of the first and of the last lines of a page. */
function edgesOf(page: readonly string[]): number[] {
  const filled = page.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  if (filled.length < MIN_LINES) return [];
  return [...filled.slice(0, EDGE_LINES), ...filled.slice(-EDGE_LINES)].filter(
    (index) => page[index]!.length <= MAX_HEAD_LENGTH,
  );
}

function masked(line: string): string {
  return line.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim();
}

/** Dots or blanks of them that lead to the number of a page. */
const CONTENTS_LINE = /(?:[.·…‥] ?){3}[^\p{L}]{0,200}$/u;
const ENDS_IN_NUMBER = /\d{1,4}\s{0,5}$/;

/** A text without the lines of a table of contents, which name a page each. */
export function withoutContents(text: string): string {
  return text
    .split('\n')
    .filter((line) => !(line.length < 300 && ENDS_IN_NUMBER.test(line) && CONTENTS_LINE.test(line)))
    .join('\n');
}
