import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Crowd } from '../../../functions/accounts/domain/account.ts';
import { extract } from '../../../functions/extraction/domain/extract.ts';
import type { PageReading } from '../../../functions/extraction/domain/reading/table-reader.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import {
  drugPage,
  extractCommand,
  extractionsOf,
  extractPorts,
  judgeOf,
  LEASE_SECONDS,
  openAccount,
  plainPage,
  traces,
} from '../../helpers/extract-flow.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

let dynamo: EmbeddedDynamo;

beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

interface Scenario {
  readonly name: string;
  readonly page: PageReading;
  readonly funds: { readonly balanceKrw: number; readonly freeCallsUsed: number; readonly crowd?: Crowd };
  /** Other transactions that are in the way of the first settlement. */
  readonly conflicts: number;
  readonly charged: number;
  readonly entries: number;
}

const scenarios: readonly Scenario[] = [
  {
    name: 'a paid call',
    page: drugPage,
    funds: { balanceKrw: 1000, freeCallsUsed: 10 },
    conflicts: 0,
    charged: 200,
    entries: 1,
  },
  {
    name: 'the last 200 KRW',
    page: drugPage,
    funds: { balanceKrw: 200, freeCallsUsed: 10 },
    conflicts: 0,
    charged: 200,
    entries: 1,
  },
  {
    name: 'a free call',
    page: drugPage,
    funds: { balanceKrw: 0, freeCallsUsed: 9 },
    conflicts: 0,
    charged: 0,
    entries: 1,
  },
  {
    name: 'a page without a table',
    page: plainPage,
    funds: { balanceKrw: 500, freeCallsUsed: 10 },
    conflicts: 0,
    charged: 0,
    entries: 0,
  },
  {
    name: 'a paid call among conflicts',
    page: drugPage,
    funds: { balanceKrw: 1000, freeCallsUsed: 10 },
    conflicts: 2,
    charged: 200,
    entries: 1,
  },
  {
    name: 'the last 200 KRW of a crowded account',
    page: drugPage,
    funds: { balanceKrw: 200, freeCallsUsed: 10, crowd: { atMs: testClock().now(), waitedMs: 0 } },
    conflicts: 0,
    charged: 200,
    entries: 1,
  },
];

/** One call that meets `fault` at its call number `at` to a port. */
async function runWithFault(scenario: Scenario, fault: Fault | null, at: number) {
  const clock = testClock();
  const workspaceId = await openAccount(dynamo, scenario.funds);
  const { ports, calls } = faultyPorts(extractPorts(dynamo, clock, scenario.page), fault, at);
  dynamo.database.conflictNextTransactions(scenario.conflicts);
  const first = await extract(extractCommand(workspaceId, 'key-1', clock), ports).then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error }),
  );
  dynamo.database.conflictNextTransactions(0);
  return { clock, workspaceId, calls, first };
}

async function expectExactlyOne(scenario: Scenario, workspaceId: string, requestId: string) {
  const { account, entries, extractions } = await traces(dynamo, workspaceId);
  expect(account.balanceKrw).toBe(scenario.funds.balanceKrw - scenario.charged);
  expect(entries).toHaveLength(scenario.entries);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      amountKrw: -scenario.charged || 0,
      balanceKrw: account.balanceKrw,
      reference: requestId,
    });
  }
  expect(extractions).toHaveLength(1);
  expect(extractions[0]?.extractionId).toBe(requestId);
}

describe.each(scenarios)('$name', (scenario) => {
  for (const fault of ['killed before', 'killed after', 'fails before', 'answer lost'] as const) {
    it(`${fault}: at every port call, a retry after the lease finds or makes exactly one`, async () => {
      const { calls } = await runWithFault(scenario, null, 0);
      expect(calls.length).toBeGreaterThan(8);

      for (const at of sampledCalls(calls.length)) {
        const { clock, workspaceId, first } = await runWithFault(scenario, fault, at);
        const here = `${fault} ${calls[at]}`;
        // A read whose response is lost may have been optional; a killed run never succeeds.
        if (fault.startsWith('killed')) expect(first, here).toHaveProperty('error');

        clock.advance(LEASE_SECONDS + 1);
        const retry = await extract(
          extractCommand(workspaceId, 'key-1', clock),
          extractPorts(dynamo, clock, scenario.page),
        );

        if ('outcome' in first) expect(retry, here).toEqual({ ...first.outcome, replayed: true });
        await expectExactlyOne(scenario, workspaceId, retry.result.requestId);
        const stored = await extractionsOf(dynamo, clock).find(workspaceId, retry.result.requestId);
        expect(stored?.page.items, here).toEqual(retry.result.items);
      }
    });
  }
});

describe('a run that was taken for dead', () => {
  it('cannot charge when another one holds its key', async () => {
    const clock = testClock();
    const workspaceId = await openAccount(dynamo, { balanceKrw: 1000, freeCallsUsed: 10 });
    const ports = extractPorts(dynamo, clock);
    const slow = Promise.withResolvers<PageReading>();
    const reading = Promise.withResolvers<void>();
    const pages = judgeOf(() => {
      reading.resolve();
      return slow.promise;
    });
    const command = { ...extractCommand(workspaceId, 'key-1', clock), deadlineMs: Number.MAX_SAFE_INTEGER };
    const first = extract(command, { ...ports, pages });
    await reading.promise;
    clock.advance(LEASE_SECONDS + 1);
    const second = await extract(command, ports);
    slow.resolve(drugPage);

    await expect(first).rejects.toMatchObject({ refusal: 'idempotency_in_progress' });
    const { account, entries, extractions } = await traces(dynamo, workspaceId);
    expect(account.balanceKrw).toBe(800);
    expect(entries).toHaveLength(1);
    expect(extractions.map(({ extractionId }) => extractionId)).toEqual([second.result.requestId]);
    expect(await extract(command, ports)).toEqual({ ...second, replayed: true });
  });

  it('charges nothing once its caller got the time-out', async () => {
    const clock = testClock();
    const workspaceId = await openAccount(dynamo, { balanceKrw: 1000, freeCallsUsed: 10 });
    const ports = extractPorts(dynamo, clock);
    const pages = judgeOf(async () => {
      clock.advance(30);
      return drugPage;
    });
    await expect(extract(extractCommand(workspaceId, 'key-1', clock), { ...ports, pages })).rejects.toThrow('ran out');
    expect(await traces(dynamo, workspaceId)).toMatchObject({
      account: { balanceKrw: 1000 },
      entries: [],
      extractions: [],
    });
    // The key is free at once.
    await extract(extractCommand(workspaceId, 'key-1', clock), ports);
    expect((await traces(dynamo, workspaceId)).account.balanceKrw).toBe(800);
  });
});
