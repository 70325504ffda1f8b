import { expect, it } from 'vitest';
import type { Account } from '../../../functions/accounts/domain/account.ts';
import { combine } from '../../../functions/extraction/domain/line/combine.ts';
import { isCrowded, isOverrun, unmarkedCrowd } from '../../../functions/extraction/domain/line/crowd.ts';
import type { WaitingSettlement } from '../../../functions/extraction/domain/line/settlement-line.ts';

const NOW = Date.parse('2026-11-22T03:00:00Z');
const ids = { next: (prefix: string) => `${prefix}_1` };

const account = (changes: Partial<Account> = {}): Account => ({
  workspaceId: 'ws',
  balanceKrw: 100_000,
  freeCallsUsed: 10,
  lowBalanceThresholdKrw: null,
  lowBalanceNotified: false,
  updatedAt: null,
  version: 7,
  ...changes,
});

const waiting = (n: number, changes: Partial<WaitingSettlement> = {}): WaitingSettlement => ({
  extractionId: `ext_${n}`,
  workspaceId: 'ws',
  keyId: null,
  completes: null,
  joinedAtMs: NOW - 100 * n,
  deadlineMs: NOW + 1,
  ...changes,
});

const line = (count: number, changes: (n: number) => Partial<WaitingSettlement> = () => ({})) =>
  Array.from({ length: count }, (_, n) => waiting(n, changes(n)));

const claimOf = (n: number) => ({ claim: { workspaceId: 'ws', path: '/p', key: `key ${n}`, owner: `ext_${n}` } });

it('posts one after another: each has its own place and the balance after it', () => {
  const { posting, hopeless } = combine(account({ balanceKrw: 500, freeCallsUsed: 9 }), line(4), NOW, ids);
  const entries = posting!.settlements.map(({ entry, cost, balanceKrw }) => [entry.sequence, cost, balanceKrw]);
  expect(entries).toEqual([
    [8, { krw: 0, free: true }, 500],
    [9, { krw: 200, free: false }, 300],
    [10, { krw: 200, free: false }, 100],
  ]);
  expect(posting!.after).toMatchObject({ balanceKrw: 100, freeCallsUsed: 10, version: 10 });
  expect(hopeless.map(({ extractionId }) => extractionId)).toEqual(['ext_3']);
});

it.each([
  ['without keys', line(80), 48],
  ['with keys', line(80, (n) => ({ completes: claimOf(n) })), 32],
  ['of as many API keys', line(80, (n) => ({ completes: claimOf(n), keyId: `key-${n}` })), 24],
])('takes as many %s as a transaction has writes for', (_, many, count) => {
  const { settlements, usage } = combine(account(), many, NOW, ids).posting!;
  const writes = settlements.reduce((sum, { completion }) => sum + (completion === null ? 2 : 3), 2 + usage.length);
  expect(writes).toBeLessThanOrEqual(100);
  expect(settlements).toHaveLength(count);
});

it('counts the calls of a key together', () => {
  const keys = ['a', 'b', 'a'];
  const { usage } = combine(
    account(),
    line(3, (n) => ({ keyId: keys[n]! })),
    NOW,
    ids,
  ).posting!;
  expect(usage.map(({ keyId, amounts }) => [keyId, amounts])).toEqual([
    ['a', { calls: 2, krw: 400, pages: 2 }],
    ['b', { calls: 1, krw: 200, pages: 1 }],
  ]);
});

it('sends one notice, of the charge that takes the balance to the threshold', () => {
  const { posting } = combine(account({ balanceKrw: 1000, lowBalanceThresholdKrw: 600 }), line(4), NOW, ids);
  expect(posting!.notices).toMatchObject([{ balanceKrw: 600, noticeId: 'ws-9' }]);
  expect(posting!.after.lowBalanceNotified).toBe(true);
});

it('posts none whose time has passed', () => {
  const late = waiting(0, { deadlineMs: NOW });
  expect(combine(account(), [late], NOW, ids)).toEqual({ posting: null, hopeless: [late] });
});

it('posts one of two that would complete the same record, and leaves the other where it is', () => {
  const { posting, hopeless } = combine(
    account(),
    line(3, (n) => ({ completes: claimOf(n % 2) })),
    NOW,
    ids,
  );
  expect(posting!.settlements.map(({ waiting: { extractionId } }) => extractionId)).toEqual(['ext_0', 'ext_1']);
  expect(hopeless).toEqual([]);
});

it('marks the account of a crowd, not that of a few, and says how long its first has waited', () => {
  expect(combine(account(), line(3), NOW, ids).posting!.after.crowd).toBeUndefined();
  const crowded = combine(account(), line(4), NOW, ids).posting!.after;
  expect(crowded.crowd).toEqual({ atMs: NOW, waitedMs: 300 });
  expect([isCrowded(crowded, NOW + 9_999), isCrowded(crowded, NOW + 10_000)]).toEqual([true, false]);
  expect(unmarkedCrowd(crowded, line(4), NOW + 1)).toBeNull();
});

it('is overrun while its first waits for seconds, until a moment after', () => {
  const overrun = { crowd: { atMs: NOW, waitedMs: 3_001 } };
  expect([isOverrun(overrun, NOW + 1_999), isOverrun(overrun, NOW + 2_000)]).toEqual([true, false]);
  expect(isOverrun({ crowd: { atMs: NOW, waitedMs: 3_000 } }, NOW)).toBe(false);
  const slow = line(4, () => ({ joinedAtMs: NOW - 5_000 }));
  expect(unmarkedCrowd(account({ crowd: { atMs: NOW, waitedMs: 0 } }), slow, NOW)).toEqual({
    atMs: NOW,
    waitedMs: 5_000,
  });
});

it('posts of a key with a budget as many as fit, drops the others, and posts those of other keys', () => {
  const limits = { krwPerDay: 400, krwPerMonth: null, tokensPerDay: null, tokensPerMonth: null };
  const spent = { day: '2026-11-21', dayKrw: 400, month: '2026-11', monthKrw: 400, setAt: '2026-11-01T00:00:00.000Z' };
  const budgets = { 'key a': { ...limits, ...spent } };
  const many = line(5, (n) => ({ keyId: n === 4 ? 'b' : 'a' }));
  const { posting, hopeless } = combine(account({ budgets }), many, NOW, ids);
  expect(posting!.settlements.map(({ waiting: { extractionId } }) => extractionId)).toEqual([
    'ext_0',
    'ext_1',
    'ext_4',
  ]);
  expect(hopeless.map(({ extractionId }) => extractionId)).toEqual(['ext_2', 'ext_3']);
  expect(posting!.after.budgets!['key a']).toMatchObject({ day: '2026-11-22', dayKrw: 400, monthKrw: 800 });
  expect(posting!.notices).toMatchObject([{ kind: 'budget', field: 'krw_per_day', spent: 400, limit: 400 }]);
});
