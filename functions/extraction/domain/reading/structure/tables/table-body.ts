import { type Gutter, RowProfile } from './gutters.ts';
import { BETWEEN_COLUMNS, chunksOf, filledShare, type TextRow } from './text-rows.ts';

/** Rows in the same columns, between `first` and `last` of the page's rows; other rows may lie among them. */
export interface TableBody {
  readonly first: number;
  readonly last: number;
  readonly rows: readonly TextRow[];
  readonly gutters: readonly Gutter[];
  /** From the first to the last letter of its rows, wrapped lines included: a name may lie above the row of its numbers. */
  readonly left: number;
  readonly right: number;
}

/** Groups that a row of a table shows at least. */
const MIN_CHUNKS = 3;
/** Rows in between that show fewer: lines of wrapped names, subtotals. */
const MAX_STRANGERS = 6;
/** In letter heights: maximum distance between the middles of one cell's lines. */
const WRAPPED_LINES_APART = 1.9;
/** Rows that are looked at on suspicion of being no body. */
const MAX_TRIMMED = 5;
/** Letter heights of white beyond which a gutter is not clearer. */
const MUCH_WHITE = 1.5;

/**
 * The stretch of rows with the most columns in common: every gutter counts as often as rows fill the adjacent columns, and many gutters
 * count more. Titles, tool bars and addresses next to a table would close its gutters, so the best stretch ends before them.
 */
export function findTableBody(rows: readonly TextRow[], letterHeight: number): TableBody | null {
  const tabular = rows.map((row) => chunksOf(row.words, BETWEEN_COLUMNS * letterHeight).length >= MIN_CHUNKS);
  const left = Math.min(...rows.flatMap(({ words }) => words.map((word) => word.left)));
  const right = Math.max(...rows.flatMap(({ words }) => words.map((word) => word.right)));
  let best: TableBody | null = null;
  let bestScore = 0;
  for (let first = 0; first < rows.length; first++) {
    if (!tabular[first]) continue;
    const profile = new RowProfile(left, right, letterHeight);
    let before = first;
    for (let last = first; last < rows.length; last++) {
      if (last - before > MAX_STRANGERS || rows[last]!.top - rows[Math.max(first, last - 1)]!.bottom > 5 * letterHeight)
        break;
      if (!tabular[last]) continue;
      addRow(profile, rows, before, last, letterHeight);
      before = last;
      const gutters = profile.gutters();
      if (gutters.length < 2) break;
      const members = rows.slice(first, last + 1).filter((_, index) => tabular[first + index]);
      const borders = [left, ...gutters.map(({ from, to }) => (from + to) / 2), right];
      const filled = members.reduce((sum, row) => sum + filledShare(row, borders), 0);
      const score = (filled - 1) * gutters.length ** 1.6;
      if (score <= bestScore) continue;
      bestScore = score;
      best = { first, last, rows: members, gutters: withoutEmptyColumns(gutters, profile), left, right };
    }
  }
  return best && extend(trim(best, rows, tabular, letterHeight), rows, tabular);
}

/** Adds a row, and the lines of wrapped cells since the row before: they are closer together than rows. */
function addRow(
  profile: RowProfile,
  rows: readonly TextRow[],
  before: number,
  index: number,
  letterHeight: number,
): void {
  for (const line of wrappedLines(rows, before, index, letterHeight)) profile.addLine(line);
  profile.add(rows[index]!);
}

function wrappedLines(
  rows: readonly TextRow[],
  before: number,
  index: number,
  letterHeight: number,
): readonly TextRow[] {
  const nearest = (line: TextRow) => Math.min(distance(line, rows[before]!), distance(line, rows[index]!));
  return rows.slice(before + 1, index).filter((line) => nearest(line) <= WRAPPED_LINES_APART * letterHeight);
}

function distance(a: TextRow, b: TextRow): number {
  return Math.abs(a.top + a.bottom - b.top - b.bottom) / 2;
}

/** Rows at either end that make the gutters narrower are no body: addresses above, a header wider than its columns. */
function trim(body: TableBody, rows: readonly TextRow[], tabular: readonly boolean[], letterHeight: number): TableBody {
  const members = rows
    .map((_, index) => index)
    .filter((index) => index >= body.first && index <= body.last && tabular[index]);
  const most = Math.min(MAX_TRIMMED, Math.floor(members.length / 3));
  let best = { score: Number.NEGATIVE_INFINITY, members, ...profileOf(rows, members, letterHeight) };
  for (let top = 0; top <= most; top++)
    for (let bottom = 0; bottom <= Math.min(2, most - top); bottom++) {
      const kept = members.slice(top, members.length - bottom);
      const own = profileOf(rows, kept, letterHeight);
      const white = own.profile
        .gutters(0)
        .reduce((sum, { from, to }) => sum + Math.min(MUCH_WHITE, (to - from) / letterHeight), 0);
      const score = white - 0.4 * (top + bottom);
      if (score > best.score) best = { score, members: kept, ...own };
    }
  return {
    first: best.members[0]!,
    last: best.members.at(-1)!,
    rows: best.members.map((index) => rows[index]!),
    gutters: withoutEmptyColumns(best.profile.gutters(), best.profile),
    left: best.left,
    right: best.right,
  };
}

function profileOf(
  rows: readonly TextRow[],
  members: readonly number[],
  letterHeight: number,
): { readonly profile: RowProfile; readonly left: number; readonly right: number } {
  const before = (n: number) => members[n - 1] ?? members[n]!;
  const words = members.flatMap((index, n) =>
    [rows[index]!, ...wrappedLines(rows, before(n), index, letterHeight)].flatMap((line) => line.words),
  );
  const left = Math.min(...words.map((word) => word.left));
  const right = Math.max(...words.map((word) => word.right));
  const profile = new RowProfile(left, right, letterHeight);
  members.forEach((index, n) => {
    addRow(profile, rows, before(n), index, letterHeight);
  });
  return { profile, left, right };
}

/** A column that fewer of the rows fill does not count: its few words belong to the neighbour across the less clear gutter. */
const FILLED_SHARE = 0.12;

function withoutEmptyColumns(gutters: readonly Gutter[], profile: RowProfile): readonly Gutter[] {
  const kept = [...gutters];
  const clearer = (a: Gutter, b: Gutter) => a.bridges - b.bridges || b.to - b.from - (a.to - a.from);
  for (let i = 0; i + 1 < kept.length; )
    if (profile.most(kept[i]!.to, kept[i + 1]!.from) > Math.max(1, FILLED_SHARE * profile.rows)) i++;
    else kept.splice(clearer(kept[i]!, kept[i + 1]!) < 0 ? i + 1 : i, 1);
  return kept;
}

/** Takes along the rows above and below that keep to nearly all of the columns: one bridge too many had ended the stretch. */
function extend(body: TableBody, rows: readonly TextRow[], tabular: readonly boolean[]): TableBody {
  const bridges = (row: TextRow) =>
    body.gutters.filter(({ from, to }) => row.words.some((word) => word.left < from && word.right > to)).length;
  let { first, last } = body;
  const step = Math.max(...body.rows.slice(1).map((row, index) => row.top - body.rows[index]!.top));
  const reach = (from: number, direction: 1 | -1): number => {
    for (let next = from + direction; next >= 0 && next < rows.length; next += direction) {
      if (Math.abs(next - from) > MAX_STRANGERS || Math.abs(rows[next]!.top - rows[next - direction]!.top) > 1.3 * step)
        break;
      const most = direction < 0 ? 0 : Math.max(1, 0.2 * body.gutters.length);
      if (tabular[next] && bridges(rows[next]!) <= most) return reach(next, direction);
    }
    return from;
  };
  first = reach(first, -1);
  last = reach(last, 1);
  const within = (index: number) => index >= first && index <= last;
  return { ...body, first, last, rows: rows.filter((_, index) => within(index) && tabular[index]) };
}
