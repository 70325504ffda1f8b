import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayOf, type UsageAmounts, usageEvent, usageReport } from '../../../functions/accounts/domain/usage.ts';
import { DynamoUsage } from '../../../functions/adapters/accounts/dynamo-usage.ts';
import { extract } from '../../../functions/extraction/domain/extract.ts';
import { execute } from '../../../functions/sandbox/domain/execute.ts';
import { reconcileExecutions } from '../../../functions/sandbox/domain/reconcile-executions.ts';
import { type TestClock, testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { executionFlow, HELLO, program } from '../../helpers/execution-flow.ts';
import { extractCommand, extractPorts, openAccount, plainPage, traces } from '../../helpers/extract-flow.ts';
import { instantBackoff } from '../../helpers/fakes.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const satisfies Fault[];
let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

async function usageOf(workspaceId: string, clock: Pick<TestClock, 'now'>): Promise<UsageAmounts> {
  const usage = new DynamoUsage(dynamo.client, TABLES.usage, instantBackoff);
  const today = dayOf(clock.now());
  return (await usageReport(usage.counts(workspaceId, today, today), 'key')).total;
}

it.each(FAULTS)('extraction, %s: at every port call, usage equals the stored and charged results', async (fault) => {
  for (const page of [undefined, plainPage])
    for (let at = 0, calls = 1; at < calls; at++) {
      const clock = testClock();
      const workspaceId = await openAccount(dynamo, { balanceKrw: 1000, freeCallsUsed: 10 });
      const faulty = faultyPorts(extractPorts(dynamo, clock, page), fault, at);
      await extract({ ...extractCommand(workspaceId, 'k', clock), keyId: 'key-1' }, faulty.ports).catch(
        () => undefined,
      );
      clock.advance(60);
      await extract({ ...extractCommand(workspaceId, 'k', clock), keyId: 'key-1' }, extractPorts(dynamo, clock, page));
      const { entries, extractions } = await traces(dynamo, workspaceId);
      const { calls: counted, pages, krw } = await usageOf(workspaceId, clock);
      expect([counted, pages], `${fault} ${faulty.calls[at]}`).toEqual([extractions.length, extractions.length]);
      expect(krw).toBe(entries.reduce((sum, { amountKrw }) => sum - amountKrw, 0));
      for (const { keyId } of entries) expect(keyId).toBe('key-1');
      calls = Math.max(calls, faulty.calls.length);
    }
});

it.each(FAULTS)('sandbox, %s: at every port call, an execution is counted when it is completed', async (fault) => {
  for (let at = 0, calls = 1; at < calls; at++) {
    const flow = executionFlow(dynamo);
    const { executionId } = await flow.submit();
    const first = await flow.work(flow.messages[0]!, fault, at);
    flow.lapse();
    await reconcileExecutions(flow.ports);
    for (const message of flow.messages) await flow.work(message);
    const isCompleted = (await flow.found(executionId))?.status === 'completed';
    const { calls: counted, sandboxMs } = await usageOf(flow.workspaceId, flow.clock);
    expect([counted, sandboxMs], `${fault} ${first.calls[at]}`).toEqual(
      isCompleted ? [1, Math.round(HELLO.seconds * 1000)] : [0, 0],
    );
    calls = Math.max(calls, first.calls.length);
  }
});

it('a call without a session is counted as well, and one that failed on the way is not', async () => {
  const flow = executionFlow(dynamo);
  const caller = { ...flow.caller, keyId: 'key-1', untilMs: flow.clock.now() + 60_000 };
  await execute(program(), caller, flow.ports);
  await execute(program({ sessionId: 's' }), caller, flow.ports);
  flow.how.run = () => Promise.reject(new Error('reset'));
  await execute(program(), caller, flow.ports).catch(() => undefined);
  await flow.counted();
  expect(await usageOf(flow.workspaceId, flow.clock)).toMatchObject({ calls: 2 });
});

it('calls that end at the same moment are all counted, under their keys, services and applications', async () => {
  const usage = new DynamoUsage(dynamo.client, TABLES.usage, instantBackoff);
  const nowMs = Date.parse('2026-11-21T23:59:59.999Z');
  let workspaces = 0;
  const call = fc.record({
    service: fc.constantFrom('extraction' as const, 'chat' as const, 'sandbox' as const),
    keyId: fc.constantFrom(null, 'k1', 'k2'),
    applicationId: fc.constantFrom(null, 'a1'),
    day: fc.nat(2),
    amounts: fc.record({ krw: fc.nat(1000), tokensIn: fc.nat(1000), sandboxMs: fc.nat(1000) }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 25 }), async (calls) => {
      const workspaceId = `ws_${workspaces++}`;
      const at = ({ day }: { day: number }) => nowMs + day * 86_400_000;
      await Promise.all(calls.map((one) => usage.record(usageEvent({ workspaceId, ...one }, one.amounts, at(one)))));
      const inRange = calls.filter(({ day }) => day < 2);
      const report = (by: 'key' | 'service' | 'application' | 'day') =>
        usageReport(usage.counts(workspaceId, '2026-11-21', '2026-11-22'), by);
      const { total, groups } = await report('key');
      expect(total).toMatchObject({
        calls: inRange.length,
        krw: inRange.reduce((sum, { amounts }) => sum + amounts.krw, 0),
        tokensIn: inRange.reduce((sum, { amounts }) => sum + amounts.tokensIn, 0),
        sandboxMs: inRange.reduce((sum, { amounts }) => sum + amounts.sandboxMs, 0),
      });
      for (const { name, amounts } of groups)
        expect(amounts.calls).toBe(inRange.filter(({ keyId }) => keyId === name).length);
      for (const by of ['service', 'application', 'day'] as const) expect((await report(by)).total).toEqual(total);
    }),
    { numRuns: 12 },
  );
});
