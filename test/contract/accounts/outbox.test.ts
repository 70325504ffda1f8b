import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Account } from '../../../functions/accounts/domain/account.ts';
import { auditEntry, SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { post } from '../../../functions/accounts/domain/posting.ts';
import { DynamoLedger } from '../../../functions/adapters/accounts/dynamo-ledger.ts';
import { DynamoOutbox } from '../../../functions/adapters/accounts/dynamo-outbox.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { openAccount, traces } from '../../helpers/extract-flow.ts';

const NOW = Date.parse('2026-11-21T03:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

let dynamo: EmbeddedDynamo;
let outbox: DynamoOutbox;

beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
  outbox = new DynamoOutbox(dynamo.client, TABLES.accounts);
});
afterAll(() => dynamo.stop());
beforeEach(async () => {
  for (const { notice } of await outbox.due(NOW + DAY_MS)) await outbox.remove(notice.noticeId);
});

/** A charge that takes an account of 600 KRW below its threshold of 500. */
async function crossing(change: Partial<Account> = {}) {
  const workspaceId = await openAccount(dynamo, { balanceKrw: 600, freeCallsUsed: 10, lowBalanceThresholdKrw: 500 });
  const { account } = await traces(dynamo, workspaceId);
  const posting = { amountKrw: -200, kind: 'extraction', reference: 'ext_1' } as const;
  const posted = post({ ...account, ...change }, posting, NOW, ulidIds);
  const act = { workspaceId, action: 'balance.topped_up', target: null } as const;
  const audit = auditEntry(act, SYSTEM_ORIGIN, { clock: { now: () => NOW }, ids: ulidIds });
  return { workspaceId, posted, outcome: await new DynamoLedger(dynamo.client, TABLES.accounts).topUp(posted, audit) };
}

it('a notice waits from the transaction that takes the balance down, and only when that succeeds', async () => {
  const { workspaceId, posted, outcome } = await crossing();
  expect(outcome).toEqual({ kind: 'posted' });
  expect(await outbox.due(NOW)).toMatchObject([{ notice: posted.notices[0], attempts: 0 }]);
  expect((await traces(dynamo, workspaceId)).account).toMatchObject({ balanceKrw: 400, lowBalanceNotified: true });

  const late = await crossing({ version: 3 });
  expect(late.outcome).toEqual({ kind: 'conflict' });
  expect(await outbox.due(NOW)).toHaveLength(1);
});

it('is taken by one of many, and waits for its next try', async () => {
  await crossing();
  const [waiting] = await outbox.due(NOW);
  const taken = await Promise.all(Array.from({ length: 8 }, () => outbox.take(waiting!, NOW + 60_000)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await outbox.due(NOW + 59_999)).toEqual([]);
  const [again] = await outbox.due(NOW + 60_000);
  expect(again).toMatchObject({ notice: waiting?.notice, attempts: 1 });
  expect(await outbox.take(waiting!, NOW + 90_000)).toBe(false);
  expect(await outbox.take(again!, NOW + 90_000)).toBe(true);
});

it('is gone once removed, and cannot be taken any more', async () => {
  await crossing();
  const [waiting] = await outbox.due(NOW);
  await outbox.remove(waiting!.notice.noticeId);
  expect(await outbox.due(NOW)).toEqual([]);
  expect(await outbox.take(waiting!, NOW + 60_000)).toBe(false);
  await outbox.remove(waiting!.notice.noticeId);
});

it('is forgotten after a week', async () => {
  await crossing();
  expect(await outbox.due(NOW + 7 * DAY_MS - 1000)).toHaveLength(1);
  expect(await outbox.due(NOW + 7 * DAY_MS)).toEqual([]);
});
