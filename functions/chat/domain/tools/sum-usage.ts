import type { Usage } from '../chat-model.ts';

/** The summed counts of several model calls, with their details. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce((sum, usage) => addCounts(sum, usage) as Usage);
}

type Counts = Readonly<Record<string, unknown>>;

function addCounts(a: Counts, b: Counts): Counts {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, added(a[name], b[name])]));
}

function added(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (isCounts(a) && isCounts(b)) return addCounts(a, b);
  return b ?? a;
}

const isCounts = (value: unknown): value is Counts => typeof value === 'object' && value !== null;
