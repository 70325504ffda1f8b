import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LedgerEntry } from '../../functions/accounts/domain/account.ts';
import { SYSTEM_ORIGIN } from '../../functions/accounts/domain/audit.ts';
import { changeThreshold } from '../../functions/accounts/domain/change-threshold.ts';
import { topUp } from '../../functions/accounts/domain/top-up.ts';
import { DynamoAccounts } from '../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoAudit } from '../../functions/adapters/accounts/dynamo-audit.ts';
import { DynamoLedger } from '../../functions/adapters/accounts/dynamo-ledger.ts';
import { DynamoOutbox } from '../../functions/adapters/accounts/dynamo-outbox.ts';
import { extract } from '../../functions/extraction/domain/extract.ts';
import { testClock } from '../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../helpers/embedded-dynamo.ts';
import { drugPage, extractCommand, extractPorts, judgeOf, openAccount } from '../helpers/extract-flow.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A step on the account, after a number of other tasks had their turn. */
const step = fc.record({
  ticks: fc.nat(20),
  action: fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('charge' as const) }) },
    {
      weight: 3,
      // Equal references are one payment that is sent several times.
      arbitrary: fc.record({ kind: fc.constant('top-up' as const), payment: fc.nat(4) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('threshold' as const), krw: fc.nat(2000) }) },
  ),
});

const amountOf = (payment: number) => [1, 199, 200, 350, 1000][payment] ?? 0;

const paid = (payment: number, reference: string) => ({
  amountKrw: amountOf(payment),
  reference,
  origin: SYSTEM_ORIGIN,
});

async function ticks(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
}

it('any order of charges and payments, at once: the entries add up to the balance line by line, and it is never below zero', async () => {
  const clock = testClock();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 200, 399, 1000),
      fc.array(step, { maxLength: 14 }),
      async (balanceKrw, steps) => {
        const workspaceId = await openAccount(dynamo, { balanceKrw, freeCallsUsed: 10 });
        const accounts = new DynamoAccounts(dynamo.client, TABLES.accounts);
        const ledger = new DynamoLedger(dynamo.client, TABLES.accounts);
        const ports = { ...extractPorts(dynamo, clock), accounts, ledger, settings: accounts };

        const audit = new DynamoAudit(dynamo.client, TABLES.accounts, clock);

        const outcomes = await Promise.allSettled(
          steps.map(async ({ ticks: count, action }) => {
            await ticks(count);
            if (action.kind === 'charge') return extract(extractCommand(workspaceId, null, clock), ports);
            if (action.kind === 'threshold') return changeThreshold(workspaceId, action.krw, SYSTEM_ORIGIN, ports);
            const { payment } = action;
            return topUp({ ...paid(payment, `payment ${payment}`), workspaceId }, ports);
          }),
        );

        const entries = (await ledger.entries(workspaceId, 100, null)).toReversed();
        let balance = balanceKrw;
        for (const entry of entries) {
          balance += entry.amountKrw;
          expect(entry.balanceKrw).toBe(balance);
          expect(balance).toBeGreaterThanOrEqual(0);
        }
        expect(await accounts.find(workspaceId)).toMatchObject({ balanceKrw: balance });

        // Every payment is booked once; every charge that was answered is there, and no other.
        const sent = steps.flatMap(({ action }) => (action.kind === 'top-up' ? [`payment ${action.payment}`] : []));
        const referencesOf = (kind: LedgerEntry['kind']) =>
          entries.filter((entry) => entry.kind === kind).map(({ reference }) => reference);
        expect(referencesOf('top_up').sort()).toEqual([...new Set(sent)].sort());
        const recorded = await audit.entries(workspaceId, 100, null);
        expect(
          recorded.flatMap(({ action, details }) => (action === 'balance.topped_up' ? [details.reference] : [])).sort(),
        ).toEqual([...new Set(sent)].sort());
        const answered = outcomes.flatMap((outcome) =>
          outcome.status === 'fulfilled' && 'result' in outcome.value ? [outcome.value.result.requestId] : [],
        );
        expect(referencesOf('extraction').sort()).toEqual(answered.sort());
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') expect(outcome.reason.refusal).toBe('insufficient_balance');
      },
    ),
    { numRuns: 40 },
  );
});

it('any order of charges and payments, at once: a notice for every time the ledger comes down to the threshold', async () => {
  const clock = testClock();
  const outbox = new DynamoOutbox(dynamo.client, TABLES.accounts);
  await fc.assert(
    fc.asyncProperty(fc.nat(1200), fc.array(step, { maxLength: 14 }), async (lowBalanceThresholdKrw, steps) => {
      const balanceKrw = 1000;
      const workspaceId = await openAccount(dynamo, { balanceKrw, freeCallsUsed: 10, lowBalanceThresholdKrw });
      const ledger = new DynamoLedger(dynamo.client, TABLES.accounts);
      const ports = { ...extractPorts(dynamo, clock), ledger, pages: judgeOf(async () => drugPage) };
      await Promise.allSettled(
        steps.map(async ({ ticks: count, action }, n) => {
          await ticks(count);
          if (action.kind === 'charge') return extract(extractCommand(workspaceId, null, clock), ports);
          if (action.kind === 'top-up') return topUp({ ...paid(action.payment, `payment ${n}`), workspaceId }, ports);
          return null;
        }),
      );

      const expected: number[] = [];
      let isTold = false;
      for (const entry of (await ledger.entries(workspaceId, 100, null)).toReversed()) {
        if (entry.balanceKrw > lowBalanceThresholdKrw) isTold = false;
        else if (!isTold && entry.amountKrw < 0) {
          expected.push(entry.sequence);
          isTold = true;
        }
      }
      const notices = (await outbox.due(clock.now())).filter(
        ({ notice }) => !('kind' in notice) && notice.workspaceId === workspaceId,
      );
      expect(notices.map(({ notice }) => notice.noticeId).sort()).toEqual(
        expected.map((sequence) => `${workspaceId}-${sequence}`).sort(),
      );
    }),
    { numRuns: 30 },
  );
});
