/** Words next to each other on a page. Lengths are in points, from the left edge of the page. */
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Height of its letters. */
  readonly height: number;
  /** Whether it starts a line of the page's text. */
  readonly startsLine: boolean;
}

/** Lines of a column, at least: a few pairs of words next to each other are not columns. */
const MIN_LINES = 5;
/** Of a column's lines, in heights of letters: cells of tables are shorter. */
const MIN_WIDTH = 9;
/** Part of a page that may run across its columns, such as titles. */
const MAX_ACROSS = 0.4;
/** Places at which a gutter is looked for. */
const PLACES = 120;
/** Columns are split in two up to so often. */
const MAX_DEPTH = 2;

/**
 * The text of a page whose columns the file has line by line, column after column; null for all other pages, whose order is that of the file.
 * Titles and other segments across the columns split them into an upper and a lower part. Rows of tables stay rows.
 */
export function columnsOf(segments: readonly Segment[]): string | null {
  const ordered = inColumns(segments, MAX_DEPTH);
  return ordered === null ? null : ordered.map(({ text }) => text).join('\n');
}

function inColumns(segments: readonly Segment[], depth: number): readonly Segment[] | null {
  const gutter = depth === 0 ? null : gutterOf(segments);
  if (gutter === null) return null;
  const ordered: Segment[] = [];
  let sides: { readonly left: Segment[]; readonly right: Segment[] } = { left: [], right: [] };
  const flush = () => {
    for (const side of [sides.left, sides.right]) ordered.push(...(inColumns(side, depth - 1) ?? side));
    sides = { left: [], right: [] };
  };
  for (const segment of segments) {
    if (segment.right <= gutter) sides.left.push(segment);
    else if (segment.left >= gutter) sides.right.push(segment);
    else {
      flush();
      ordered.push(segment);
    }
  }
  flush();
  return ordered;
}

/** The place between two columns of prose that the file has line by line; null without one. */
function gutterOf(segments: readonly Segment[]): number | null {
  if (segments.length < 2 * MIN_LINES) return null;
  const start = Math.min(...segments.map(({ left }) => left));
  const end = Math.max(...segments.map(({ right }) => right));
  let best: { readonly place: number; readonly across: number } | null = null;
  for (let i = 1; i < PLACES; i++) {
    const place = start + ((end - start) * i) / PLACES;
    const across = segments.filter(({ left, right }) => left < place && right > place).length;
    if (best !== null && across >= best.across) continue;
    if (areColumns(segments, place)) best = { place, across };
  }
  return best?.place ?? null;
}

function areColumns(segments: readonly Segment[], place: number): boolean {
  const left = segments.filter(({ right }) => right <= place);
  const right = segments.filter((segment) => segment.left >= place);
  const across = segments.length - left.length - right.length;
  const fewer = Math.min(left.length, right.length);
  if (fewer < MIN_LINES || across > MAX_ACROSS * segments.length) return false;
  // Of a page that has one column after the other, hardly a line is in two.
  const pairs = segments.filter(
    (segment, i) => i > 0 && !segment.startsLine && segment.left >= place && segments[i - 1]!.right <= place,
  ).length;
  return pairs >= fewer / 2 && isProse(left) && isProse(right);
}

function isProse(column: readonly Segment[]): boolean {
  const widths = column.map(({ left, right, height }) => (right - left) / Math.max(1, height)).sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)]! >= MIN_WIDTH;
}
