import type { Scope } from '../../shared/principal.ts';

/** Amounts that are counted; all are whole numbers. */
export interface UsageAmounts {
  readonly calls: number;
  readonly krw: number;
  readonly pages: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly sandboxMs: number;
}

export const NO_USAGE: UsageAmounts = { calls: 0, krw: 0, pages: 0, tokensIn: 0, tokensOut: 0, sandboxMs: 0 };
const AMOUNTS = Object.keys(NO_USAGE) as readonly (keyof UsageAmounts)[];

/** Dimensions of usage counters. */
export interface UsageKey {
  readonly workspaceId: string;
  /** UTC, `2026-11-22`. */
  readonly day: string;
  readonly service: Scope;
  /** Null for a call without an API key. */
  readonly keyId: string | null;
  /** Null for a service without applications. */
  readonly applicationId: string | null;
  /** Public access token of a visitor; null for any other call. */
  readonly accessTokenId: string | null;
}

/** One call, to be counted once. */
export interface UsageEvent extends UsageKey {
  readonly amounts: Partial<UsageAmounts>;
}

/** Amounts so far of all calls of one key. */
export interface UsageCount extends UsageKey, UsageAmounts {}

/** Counts a call without a transaction; the others are counted in theirs. */
export interface UsageRecorder {
  record(event: UsageEvent): Promise<void>;
}

export interface UsageCounts {
  /** Counts of a workspace, several for one key among them. @param fromDay @param toDay both inclusive */
  counts(workspaceId: string, fromDay: string, toDay: string): AsyncIterable<UsageCount>;
}

export const USAGE_KEPT_SECONDS = 400 * 24 * 60 * 60;

/** The event of a call that ends now. */
export function usageEvent(
  who: Pick<UsageKey, 'workspaceId' | 'service'> & Partial<Pick<UsageKey, 'keyId' | 'applicationId' | 'accessTokenId'>>,
  amounts: Omit<Partial<UsageAmounts>, 'calls'>,
  nowMs: number,
): UsageEvent {
  const { keyId = null, applicationId = null, accessTokenId = null, workspaceId, service } = who;
  const key = { workspaceId, day: dayOf(nowMs), service, keyId, applicationId, accessTokenId };
  return { ...key, amounts: { ...amounts, calls: 1 } };
}

/** Events of the same key as one. */
export function mergedUsage(events: readonly UsageEvent[]): UsageEvent[] {
  const byKey = new Map<string, UsageEvent>();
  for (const { amounts, ...key } of events) {
    const { workspaceId, day, service, keyId, applicationId, accessTokenId } = key;
    const name = JSON.stringify([workspaceId, day, service, keyId, applicationId, accessTokenId]);
    const total = { ...byKey.get(name)?.amounts };
    for (const amount of AMOUNTS)
      if (amounts[amount] !== undefined) total[amount] = (total[amount] ?? 0) + amounts[amount];
    byKey.set(name, { ...key, amounts: total });
  }
  return [...byKey.values()];
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export const USAGE_GROUPS = ['day', 'service', 'key', 'application', 'access_token'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageReport {
  /** By the name of the group, in its order; the nameless one last. */
  readonly groups: readonly { readonly name: string | null; readonly amounts: UsageAmounts }[];
  readonly total: UsageAmounts;
}

/** The sums of counts by one of their dimensions. */
export async function usageReport(counts: AsyncIterable<UsageCount>, by: UsageGroup): Promise<UsageReport> {
  const groups = new Map<string | null, UsageAmounts>();
  let total = NO_USAGE;
  for await (const count of counts) {
    const name = NAMES[by](count);
    groups.set(name, sum(groups.get(name) ?? NO_USAGE, count));
    total = sum(total, count);
  }
  const sorted = [...groups].toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1));
  return { groups: sorted.map(([name, amounts]) => ({ name, amounts })), total };
}

const NAMES: Readonly<Record<UsageGroup, (count: UsageKey) => string | null>> = {
  day: ({ day }) => day,
  service: ({ service }) => service,
  key: ({ keyId }) => keyId,
  application: ({ applicationId }) => applicationId,
  access_token: ({ accessTokenId }) => accessTokenId,
};

function sum(a: UsageAmounts, b: UsageAmounts): UsageAmounts {
  return Object.fromEntries(AMOUNTS.map((name) => [name, a[name] + b[name]])) as unknown as UsageAmounts;
}
