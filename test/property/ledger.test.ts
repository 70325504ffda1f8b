import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, FREE_CALLS } from '../../functions/accounts/domain/account.ts';
import { post } from '../../functions/accounts/domain/posting.ts';
import { ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import { extract } from '../../functions/extraction/domain/extract.ts';
import {
  CALL_PRICE_KRW,
  type Charge,
  chargePosting,
  priceCall,
} from '../../functions/extraction/domain/pricing/price-call.ts';
import { testClock } from '../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../helpers/embedded-dynamo.ts';
import {
  drugPage,
  extractCommand,
  extractPorts,
  judgeOf,
  openAccount,
  plainPage,
  traces,
} from '../helpers/extract-flow.ts';

const funds = fc.record({
  balanceKrw: fc.oneof(fc.constantFrom(0, 199, 200, 201, 399, 400), fc.nat(5000)),
  freeCallsUsed: fc.nat(FREE_CALLS),
});

describe('pricing', () => {
  const unused = {
    workspaceId: 'ws_1',
    lowBalanceThresholdKrw: null,
    lowBalanceNotified: false,
    updatedAt: null,
    version: 1,
  };
  const charged = (account: Account, charge: Charge): Account => {
    const posting = chargePosting(charge, 'ext_1');
    if (posting === null) return account;
    const { after, entry } = post(account, posting, 0, ulidIds);
    expect(entry).toMatchObject({ amountKrw: after.balanceKrw - account.balanceKrw, balanceKrw: after.balanceKrw });
    return after;
  };

  it('over any sequence of calls: ten are free, each other success costs 200 KRW, nothing goes below zero', () => {
    fc.assert(
      fc.property(funds, fc.array(fc.boolean(), { maxLength: 60 }), (opening, calls) => {
        let account: Account = { ...unused, ...opening };
        let paid = 0;
        let refused = 0;
        for (const foundTable of calls) {
          const charge = priceCall(account, foundTable);
          if (charge === null) {
            refused++;
            expect(foundTable).toBe(true);
            expect(account.balanceKrw).toBeLessThan(CALL_PRICE_KRW);
            expect(account.freeCallsUsed).toBe(FREE_CALLS);
            continue;
          }
          if (!foundTable) expect(charged(account, charge)).toBe(account);
          if (charge.kind === 'paid') paid++;
          account = charged(account, charge);
          expect(account.balanceKrw).toBeGreaterThanOrEqual(0);
        }
        const successes = calls.filter(Boolean).length - refused;
        const free = Math.min(FREE_CALLS - opening.freeCallsUsed, successes);
        expect(account.freeCallsUsed).toBe(opening.freeCallsUsed + free);
        expect(paid).toBe(successes - free);
        expect(account.balanceKrw).toBe(opening.balanceKrw - CALL_PRICE_KRW * paid);
      }),
    );
  });

  it('refuses to compute an overdrawn balance', () => {
    const charge = { kind: 'paid', krw: CALL_PRICE_KRW } as const;
    expect(() => charged({ ...unused, balanceKrw: 199, freeCallsUsed: 10 }, charge)).toThrow('-1 KRW');
    expect(() => charged({ ...unused, balanceKrw: 399, heldKrw: 200, freeCallsUsed: 10 }, charge)).toThrow('199 KRW');
  });

  it('leaves money alone that other work holds', () => {
    expect(priceCall({ balanceKrw: 399, heldKrw: 200, freeCallsUsed: FREE_CALLS }, true)).toBeNull();
    expect(priceCall({ balanceKrw: 400, heldKrw: 200, freeCallsUsed: FREE_CALLS }, true)).toMatchObject({ krw: 200 });
  });
});

describe('concurrent calls of one workspace', () => {
  let dynamo: EmbeddedDynamo;
  beforeAll(async () => {
    dynamo = await startEmbeddedDynamo();
  });
  afterAll(() => dynamo.stop());

  const call = fc.record({
    /** Null: no Idempotency-Key. Equal keys are one call sent several times. */
    key: fc.oneof(fc.constant(null), fc.constantFrom('a', 'b', 'c')),
    readingTicks: fc.nat(30),
  });

  /** Lets a number of other tasks run first. */
  async function ticks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
  }

  it('leave a balance of opening − 200 × charged calls, and a ledger that says so line by line', async () => {
    await fc.assert(
      fc.asyncProperty(
        funds,
        fc.array(call, { minLength: 1, maxLength: 8 }),
        fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        async (opening, calls, tables) => {
          const clock = testClock();
          const workspaceId = await openAccount(dynamo, opening);
          const pageOf = (key: string | null) => (tables[['a', 'b', 'c'].indexOf(key ?? 'a')] ? drugPage : plainPage);
          const outcomes = await Promise.allSettled(
            calls.map(async ({ key, readingTicks }) => {
              const pages = judgeOf(async () => {
                await ticks(readingTicks);
                return pageOf(key);
              });
              return extract(extractCommand(workspaceId, key, clock), { ...extractPorts(dynamo, clock), pages });
            }),
          );

          for (const outcome of outcomes) {
            if (outcome.status === 'rejected')
              expect(['insufficient_balance', 'idempotency_in_progress']).toContain(outcome.reason.refusal);
          }
          const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
          const results = new Map(answers.map(({ result }) => [result.requestId, result]));
          const paid = [...results.values()].filter(({ cost }) => cost.krw > 0);
          const free = [...results.values()].filter(({ cost, foundTable }) => cost.krw === 0 && foundTable);
          const { account, entries, extractions } = await traces(dynamo, workspaceId);

          expect(account.balanceKrw).toBe(opening.balanceKrw - CALL_PRICE_KRW * paid.length);
          expect(account.balanceKrw).toBeGreaterThanOrEqual(0);
          expect(account.freeCallsUsed).toBe(opening.freeCallsUsed + free.length);
          expect(account.freeCallsUsed).toBeLessThanOrEqual(FREE_CALLS);
          expect(entries.map(({ reference }) => reference).sort()).toEqual(
            [...paid, ...free].map(({ requestId }) => requestId).sort(),
          );
          expect(new Set(extractions.map(({ extractionId }) => extractionId))).toEqual(new Set(results.keys()));
          // Each charge's balance appears once: no two calls were computed from the same account.
          const balances = paid.map(({ balanceKrw }) => balanceKrw).sort((a, b) => b - a);
          expect(balances).toEqual(paid.map((_, i) => opening.balanceKrw - CALL_PRICE_KRW * (i + 1)));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of two calls racing for the last 200 KRW, one gets it and the other gets insufficient_balance', async () => {
    const clock = testClock();
    for (let round = 0; round < 10; round++) {
      const workspaceId = await openAccount(dynamo, { balanceKrw: 200, freeCallsUsed: FREE_CALLS });
      const bothHaveRead = Promise.withResolvers<void>();
      let readers = 0;
      const pages = judgeOf(async () => {
        // Both have passed the first check of the balance by then: the charge itself must decide.
        if (++readers === 2) bothHaveRead.resolve();
        await bothHaveRead.promise;
        return drugPage;
      });
      const ports = { ...extractPorts(dynamo, clock), pages };
      const outcomes = await Promise.allSettled(
        ['a', 'b'].map((key) => extract(extractCommand(workspaceId, key, clock), ports)),
      );
      const won = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(won).toHaveLength(1);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { refusal: 'insufficient_balance', details: { balanceKrw: 0, requiredKrw: 200 } },
      });
      expect(await traces(dynamo, workspaceId)).toMatchObject({
        account: { balanceKrw: 0 },
        entries: [{ amountKrw: -200, balanceKrw: 0 }],
        extractions: [{}],
      });
    }
  });

  it('forty concurrent calls are all charged, despite their collisions', async () => {
    const clock = testClock();
    const workspaceId = await openAccount(dynamo, { balanceKrw: 40 * CALL_PRICE_KRW, freeCallsUsed: FREE_CALLS });
    const { jitteredBackoff } = await import('../../functions/adapters/shared/system-ports.ts');
    const ports = { ...extractPorts(dynamo, clock), backoff: jitteredBackoff };
    await Promise.all(Array.from({ length: 40 }, () => extract(extractCommand(workspaceId, null, clock), ports)));
    const { account, entries, extractions } = await traces(dynamo, workspaceId);
    expect(account.balanceKrw).toBe(0);
    expect(entries).toHaveLength(40);
    expect(extractions).toHaveLength(40);
  });
});
