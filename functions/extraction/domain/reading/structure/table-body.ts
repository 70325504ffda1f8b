import { type River, RowProfile } from './rivers.ts';
import { countChunks, type TextRow } from './text-rows.ts';

/** Rows that stand in the same columns, between `first` and `last` of the page's rows; others may stand among them. */
export interface TableBody {
  readonly first: number;
  readonly last: number;
  readonly rows: readonly TextRow[];
  readonly rivers: readonly River[];
}

/** Groups that a row of a table shows at least. */
const MIN_CHUNKS = 3;
/** Rows in between that show fewer: lines of wrapped names, subtotals. */
const MAX_STRANGERS = 4;

/**
 * The stretch of rows with the most columns in common: every river counts as often as rows keep to it, and many rivers count
 * more. Titles, tool bars and addresses next to a table would close its rivers, so the best stretch ends before them.
 */
export function findTableBody(rows: readonly TextRow[], letterHeight: number): TableBody | null {
  const tabular = rows.map((row) => countChunks(row, 0.6 * letterHeight) >= MIN_CHUNKS);
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
      for (const stranger of rows.slice(before + 1, last)) profile.addLine(stranger);
      before = last;
      profile.add(rows[last]!);
      const rivers = profile.rivers();
      if (rivers.length < 2) break;
      const score = (profile.rows - 1) * rivers.length ** 1.6;
      if (score <= bestScore) continue;
      bestScore = score;
      const members = rows.slice(first, last + 1).filter((_, index) => tabular[first + index]);
      best = { first, last, rows: members, rivers: withoutEmptyColumns(rivers, profile) };
    }
  }
  return best && extend(best, rows, tabular);
}

/** A column that fewer of the rows fill is none: its few words belong to the neighbour across the less clear river. */
const FILLED_SHARE = 0.12;

function withoutEmptyColumns(rivers: readonly River[], profile: RowProfile): readonly River[] {
  const kept = [...rivers];
  const clearer = (a: River, b: River) => a.bridges - b.bridges || b.to - b.from - (a.to - a.from);
  for (let i = 0; i + 1 < kept.length; )
    if (profile.most(kept[i]!.to, kept[i + 1]!.from) > Math.max(1, FILLED_SHARE * profile.rows)) i++;
    else kept.splice(clearer(kept[i]!, kept[i + 1]!) < 0 ? i + 1 : i, 1);
  return kept;
}

/** Takes along the rows above and below that keep to nearly all of the columns: one bridge too many had ended the stretch. */
function extend(body: TableBody, rows: readonly TextRow[], tabular: readonly boolean[]): TableBody {
  const keepsTo = (row: TextRow) =>
    body.rivers.filter(({ from, to }) => row.words.some((word) => word.left < from && word.right > to)).length <=
    Math.max(1, 0.2 * body.rivers.length);
  let { first, last } = body;
  const step = Math.max(...body.rows.slice(1).map((row, index) => row.top - body.rows[index]!.top));
  const reach = (from: number, direction: 1 | -1): number => {
    for (let next = from + direction; next >= 0 && next < rows.length; next += direction) {
      if (Math.abs(next - from) > MAX_STRANGERS || Math.abs(rows[next]!.top - rows[from]!.top) > 1.3 * step) break;
      if (tabular[next] && keepsTo(rows[next]!)) return reach(next, direction);
    }
    return from;
  };
  first = reach(first, -1);
  last = reach(last, 1);
  const within = (index: number) => index >= first && index <= last;
  return { ...body, first, last, rows: rows.filter((row, index) => within(index) && tabular[index] && keepsTo(row)) };
}
