import type { Item } from '../../functions/extraction/domain/extraction.ts';
import type { JudgedLine } from './score-page.ts';

/** A line that was judged, with the reasons for its light. */
export type Reviewed = Pick<Item, 'drugCode' | 'drugName' | 'status' | 'review'>;

/** The machine codes that a review starts with, each once. */
export function findingsOf({ review }: Pick<Item, 'review'>): readonly string[] {
  return [...new Set(review.map((note) => note.split(':', 1)[0]!))];
}

/** How many of each group's lines have each finding, the most frequent first; a line with several counts for each. */
export function printReviews(
  groups: readonly (readonly [name: string, lines: readonly Pick<Item, 'review'>[]])[],
  row: (label: string, cells: readonly string[]) => string,
): string[] {
  const counts = groups.map(([, lines]) => countsOf(lines));
  const codes = [...new Set(counts.flatMap((count) => [...count.keys()]))];
  if (codes.length === 0) return [];
  const total = (code: string) => Math.max(...counts.map((count) => count.get(code) ?? 0));
  const cells = (of: (index: number) => number) => groups.map((_, index) => String(of(index)));
  return [
    row(
      'right lines not GREEN',
      cells((index) => groups[index]![1].length),
    ),
    ...codes
      .sort((a, b) => total(b) - total(a))
      .map((code) =>
        row(
          `  ${code}`,
          cells((index) => counts[index]!.get(code) ?? 0),
        ),
      ),
  ];
}

function countsOf(lines: readonly Pick<Item, 'review'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const code of lines.flatMap(findingsOf)) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

export function judgedLine(line: JudgedLine): string {
  return `${line.page} row ${line.row}: ${withReview(line)}`;
}

export function withReview({ drugCode, drugName, status, review }: Reviewed): string {
  return `${status} ${drugCode} ${drugName}: ${review.join(' | ')}`;
}

/** Up to `perFinding` example lines of each finding, grouped by finding. */
export function exampleLines(lines: readonly JudgedLine[], perFinding: number): readonly string[] {
  const byFinding = Map.groupBy(lines, (line) => findingsOf(line).join(', '));
  return [...byFinding]
    .sort(([, a], [, b]) => b.length - a.length)
    .flatMap(([, alike]) => alike.slice(0, perFinding).map((line) => `right, not GREEN: ${judgedLine(line)}`));
}
