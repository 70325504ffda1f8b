import type { paths } from '../../api/openapi.d.ts';

export type Listed =
  paths['/api/v1/extractions']['get']['responses'][200]['content']['application/json']['extractions'][number];

export const SORTS = ['newest', 'oldest', 'name', 'open', 'lines'] as const;
export type Sort = (typeof SORTS)[number];

const names = new Intl.Collator(['ko', 'en'], { numeric: true, sensitivity: 'base' });
const openOf = ({ openLines }: Listed) => openLines ?? 0;

/** The name that a person knows a result by: of its file, or the caller's reference. */
export const nameOf = ({ fileName, reference }: Pick<Listed, 'fileName' | 'reference'>): string | null =>
  fileName ?? reference;

const ORDERS: Readonly<Record<Exclude<Sort, 'newest'>, (a: Listed, b: Listed) => number>> = {
  oldest: (a, b) => a.createdAt.localeCompare(b.createdAt),
  name: (a, b) =>
    Number(nameOf(a) === null) - Number(nameOf(b) === null) || names.compare(nameOf(a) ?? '', nameOf(b) ?? ''),
  open: (a, b) => openOf(b) - openOf(a),
  lines: (a, b) => b.itemCount - a.itemCount,
};

/** Results in an order; equal ones stay as they were. @param results the newest first. */
export function sorted(results: readonly Listed[], sort: Sort): readonly Listed[] {
  return sort === 'newest' ? results : results.toSorted(ORDERS[sort]);
}

export interface ResultsSearch {
  /** Batch. */
  readonly job?: string;
  /** True: with open lines only; false: without. */
  readonly open?: boolean;
  /** False: without a drug table only. */
  readonly table?: boolean;
  /** Part of the name. */
  readonly q?: string;
  readonly sort?: Sort;
}

/** The filters that an address names; others are left out. */
export function resultsSearch({ job, open, table, q, sort }: Record<string, unknown>): ResultsSearch {
  const known = SORTS.find((each) => each === sort);
  return {
    ...(typeof job === 'string' && { job }),
    ...(typeof open === 'boolean' && { open }),
    ...(table === false && { table }),
    // The router reads a search for digits as a number.
    ...((typeof q === 'string' || typeof q === 'number') && `${q}` !== '' && { q: `${q}` }),
    ...(known !== undefined && known !== 'newest' && { sort: known }),
  };
}
