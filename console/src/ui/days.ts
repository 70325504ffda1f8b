const DAY_MS = 24 * 60 * 60_000;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** All days from one to another, both included, as YYYY-MM-DD. */
export function daysBetween(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.max(0, (last - first) / DAY_MS + 1) }, (_, index) => dayOf(first + index * DAY_MS));
}

/** The day that is this many days before another one. */
export const daysBefore = (day: string, count: number): string => dayOf(Date.parse(day) - count * DAY_MS);
