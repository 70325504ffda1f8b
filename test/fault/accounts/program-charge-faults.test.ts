import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOLD_MS } from '../../../functions/accounts/domain/hold.ts';
import { cancel } from '../../../functions/sandbox/domain/cancel.ts';
import { execute } from '../../../functions/sandbox/domain/execute.ts';
import { executeOnce } from '../../../functions/sandbox/domain/execute-once.ts';
import { processExecution } from '../../../functions/sandbox/domain/process-execution.ts';
import { reconcileExecutions } from '../../../functions/sandbox/domain/reconcile-executions.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import { expectExact } from '../../helpers/exact-charges.ts';
import { type ExecutionFlow, executionFlow, HELLO, LEASE_SECONDS, program } from '../../helpers/execution-flow.ts';
import { openAccount } from '../../helpers/extract-flow.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const BALANCE = 1_000;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

describe('a program at a price', () => {
  const KRW = 3;

  async function openFlow(balanceKrw = BALANCE) {
    const workspaceId = await openAccount(dynamo, { balanceKrw, freeCallsUsed: 0 });
    const flow = executionFlow(dynamo, { workspaceId, krwPerSecond: KRW });
    flow.how.run = async (_, caller) => {
      caller.onBegun?.();
      return { ...HELLO, seconds: 1.2 };
    };
    const release = async () => {
      flow.clock.advance(HOLD_MS / 1000 + 1);
      const { charges } = flow.charged(flow.ports);
      // `require` looks for dead holds only when it is short of money.
      await charges!.require({ workspaceId }, [{ timeoutSeconds: BALANCE }]).catch(() => undefined);
    };
    const caller = () => ({ ...flow.caller, untilMs: flow.clock.now() + LEASE_SECONDS * 1000 });
    return { ...flow, release, caller };
  }

  type Flow = Awaited<ReturnType<typeof openFlow>>;

  /** Does `work` with the fault at its first port call, at its second and so on, each time with a new account. */
  async function walk(fault: Fault, work: (flow: Flow, ports: ExecutionFlow['ports']) => Promise<unknown>) {
    for (let at = 0; ; at++) {
      const flow = await openFlow();
      const { ports, calls } = faultyPorts(flow.ports, fault, at);
      await work(flow, ports);
      if (at >= calls.length) return at;
    }
  }

  it.each(FAULTS)(
    '%s: at every port call, a program without a record is charged when it has a result',
    async (fault) => {
      const calls = await walk(fault, async (flow, ports) => {
        const result = await execute(program(), flow.caller(), flow.charged(ports)).catch(() => null);
        const entries = await expectExact(dynamo, { workspaceId: flow.workspaceId, openingKrw: BALANCE }, flow.release);
        if (result !== null) expect(entries.map(({ amountKrw }) => amountKrw)).toEqual([-2 * KRW]);
        else expect(entries.length).toBeLessThanOrEqual(1);
      });
      expect(calls).toBeGreaterThan(5);
    },
  );

  it.each(FAULTS)(
    '%s: at every port call of the worker, an execution is charged exactly when it is completed',
    async (fault) => {
      for (let at = 0; ; at++) {
        const flow = await openFlow();
        const { executionId } = await flow.submit();
        const [message] = flow.messages;
        const { calls } = await flow.work(message!, fault, at);
        for (let deliveries = 0; deliveries < 3; deliveries++) {
          flow.lapse();
          await flow.work(message!);
        }
        const { status } = (await flow.found(executionId))!;
        const entries = await expectExact(dynamo, { workspaceId: flow.workspaceId, openingKrw: BALANCE }, flow.release);
        expect(entries.map(({ kind, amountKrw, reference }) => [kind, amountKrw, reference])).toEqual(
          status === 'completed' ? [['sandbox', -2 * KRW, executionId]] : [],
        );
        if (at >= calls.length) {
          expect(at).toBeGreaterThan(6);
          return;
        }
      }
    },
  );

  it.each(FAULTS)(
    '%s: at every port call, a program of a workflow is charged exactly when its result is kept',
    async (fault) => {
      await walk(fault, async (flow, ports) => {
        const pause = { wait: async (ms: number) => flow.clock.advance(ms / 1000) };
        const once = (through: typeof ports) =>
          executeOnce(program(), 'run_1:node:1', flow.caller(), { ...flow.charged(through), pause });
        await once(ports).catch(() => undefined);
        flow.lapse();
        const { status } = await once(flow.ports);
        expect(
          await expectExact(dynamo, { workspaceId: flow.workspaceId, openingKrw: BALANCE }, flow.release),
        ).toHaveLength(status === 'completed' ? 1 : 0);
        await reconcileExecutions(flow.ports);
      });
    },
  );

  it.each(FAULTS)('%s: at every port call of a session, a recorded program is charged once at most', async (fault) => {
    await walk(fault, async (flow, ports) => {
      const request = program({ sessionId: 's1' });
      await execute(request, flow.caller(), flow.charged(ports)).catch(() => null);
      flow.lapse();
      await reconcileExecutions(flow.ports);
      const entries = await expectExact(dynamo, { workspaceId: flow.workspaceId, openingKrw: BALANCE }, flow.release);
      expect(entries.length).toBeLessThanOrEqual(1);
    });
  });

  it('is refused before it runs when the balance does not cover its time-out', async () => {
    const flow = await openFlow(89);
    const refused = { refusal: 'insufficient_balance', details: { balanceKrw: 89, requiredKrw: 90 } };
    await expect(execute(program(), flow.caller(), flow.charged(flow.ports))).rejects.toMatchObject(refused);
    await expect(flow.submit()).rejects.toMatchObject(refused);
    expect(flow.runs).toEqual([]);
  });

  it('ends as failed when the money was spent while it waited', async () => {
    const flow = await openFlow(90);
    const { executionId } = await flow.submit();
    await execute(program(), flow.caller(), flow.charged(flow.ports));
    await flow.work(flow.messages[0]!);
    expect(await flow.found(executionId)).toMatchObject({
      status: 'failed',
      output: { stderr: expect.stringContaining('does not cover the program of up to 90 KRW') },
    });
    expect(flow.runs).toHaveLength(1);
  });

  it('is free when no runner takes it, when it is invalid, and when its runner is lost', async () => {
    const flow = await openFlow();
    const outcomes = [
      async () => Promise.reject(new SandboxUnavailable('busy')),
      async () => ({ kind: 'invalid_syntax', message: 'no', seconds: 0.2 }) as const,
      async () => Promise.reject(new Error('lost')),
    ];
    for (const run of outcomes) {
      flow.how.run = run;
      await execute(program(), flow.caller(), flow.charged(flow.ports)).catch(() => null);
    }
    expect(
      await expectExact(dynamo, { workspaceId: flow.workspaceId, openingKrw: BALANCE }, async () => undefined),
    ).toEqual([]);
  });

  it('costs its seconds until it is cancelled', async () => {
    const flow = await openFlow();
    const execution = await flow.submit();
    flow.how.run = (_, caller) => {
      caller.onBegun?.();
      return new Promise((_resolve, reject) => {
        caller.signal!.addEventListener('abort', () => reject(new Error('aborted')));
      });
    };
    const pause = {
      async wait() {
        // The program starts first.
        await new Promise(setImmediate);
        flow.clock.advance(2);
        await cancel(execution, flow.ports);
      },
    };
    await processExecution(
      execution,
      flow.clock.now() + LEASE_SECONDS * 1000,
      flow.charged({ ...flow.ports, pause } as typeof flow.ports),
    );
    expect(await flow.found(execution.executionId)).toMatchObject({ output: { stderr: 'Execution cancelled' } });
    const entries = await expectExact(
      dynamo,
      { workspaceId: flow.workspaceId, openingKrw: BALANCE },
      async () => undefined,
    );
    expect(entries.map(({ amountKrw }) => amountKrw)).toEqual([-2 * KRW]);
  });

  it('costs its seconds until its client goes away, and nothing while it waits for a runner', async () => {
    const flow = await openFlow();
    for (const isBegun of [false, true]) {
      const gone = new AbortController();
      flow.how.run = async (_, caller) => {
        if (isBegun) caller.onBegun?.();
        flow.clock.advance(4.5);
        gone.abort();
        throw new Error('aborted');
      };
      await execute(program(), { ...flow.caller(), signal: gone.signal }, flow.charged(flow.ports)).catch(() => null);
    }
    const entries = await expectExact(
      dynamo,
      { workspaceId: flow.workspaceId, openingKrw: BALANCE },
      async () => undefined,
    );
    expect(entries.map(({ amountKrw }) => amountKrw)).toEqual([-5 * KRW]);
  });
});
