import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancel } from '../../functions/sandbox/domain/cancel.ts';
import type { Execution } from '../../functions/sandbox/domain/execution.ts';
import { giveUp, reconcileExecutions } from '../../functions/sandbox/domain/reconcile-executions.ts';
import type { RunOutcome } from '../../functions/sandbox/domain/run.ts';
import { SandboxUnavailable } from '../../functions/sandbox/domain/sandbox-pool.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../helpers/embedded-dynamo.ts';
import { executionFlow, HELLO } from '../helpers/execution-flow.ts';
import type { Fault } from '../helpers/faulty-ports.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

type Event =
  | {
      readonly kind: 'deliver';
      readonly which: number;
      readonly fault: Fault | null;
      readonly at: number;
      readonly busy: boolean;
      readonly beside: boolean;
    }
  | { readonly kind: 'cancel' | 'give up'; readonly which: number }
  | { readonly kind: 'reconcile' }
  | { readonly kind: 'wait'; readonly seconds: number };

const EXECUTIONS = 3;
const which = fc.nat(EXECUTIONS - 1);
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      which,
      fault: fc.option(fc.constantFrom<Fault[]>('killed before', 'killed after', 'fails before', 'answer lost')),
      at: fc.nat(9),
      busy: fc.boolean(),
      beside: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'give up' as const), which }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reconcile' } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 340, 1000) }) },
);

it('with any events in any order, each execution runs at most once, never comes back from its end, and ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 14 }), async (events) => {
      const flow = executionFlow(dynamo);
      const begun = new Map<string, number>();
      let busy = false;
      flow.how.run = async ({ code }): Promise<RunOutcome> => {
        if (busy) throw new SandboxUnavailable('busy');
        begun.set(code, (begun.get(code) ?? 0) + 1);
        return HELLO;
      };
      const submitted: Execution[] = [];
      for (let i = 0; i < EXECUTIONS; i++) submitted.push(await flow.submit({ code: `program ${i}` }));
      const ends = new Map<string, unknown>();
      /** An end is final; an execution cancelled after its end is gone for good. */
      const expectLasting = async () => {
        for (const { executionId } of submitted) {
          const found = await flow.found(executionId);
          if (ends.has(executionId)) expect([null, ends.get(executionId)]).toContainEqual(found);
          if (found === null || found.completedAt !== null) ends.set(executionId, found);
        }
      };

      let beside: Promise<unknown>[] = [];
      for (const each of events) {
        switch (each.kind) {
          case 'deliver': {
            busy = each.busy;
            const working = flow.work(submitted[each.which]!, each.fault, each.at);
            if (each.beside) beside.push(working);
            else await working;
            break;
          }
          case 'cancel':
            await cancel(submitted[each.which]!, flow.ports);
            break;
          case 'give up':
            await giveUp(submitted[each.which]!, flow.ports);
            break;
          case 'reconcile':
            await reconcileExecutions(flow.ports);
            break;
          case 'wait':
            flow.clock.advance(each.seconds);
        }
        await expectLasting();
      }
      await Promise.all(beside);
      beside = [];
      busy = false;
      flow.clock.advance(1000);
      await reconcileExecutions(flow.ports);
      for (const id of [...submitted, ...flow.messages]) expect((await flow.work(id)).outcome).toBe('ack');
      await expectLasting();
      await reconcileExecutions(flow.ports);

      expect(ends.size).toBe(EXECUTIONS);
      expect(Math.max(0, ...begun.values())).toBeLessThanOrEqual(1);
      for (const [i, { executionId }] of submitted.entries())
        if ((await flow.found(executionId))?.status === 'completed') expect(begun.get(`program ${i}`)).toBe(1);
      expect(await flow.open()).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
