import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancel } from '../../../functions/sandbox/domain/cancel.ts';
import { execute } from '../../../functions/sandbox/domain/execute.ts';
import { executeOnce } from '../../../functions/sandbox/domain/execute-once.ts';
import { giveUp, reconcileExecutions } from '../../../functions/sandbox/domain/reconcile-executions.ts';
import type { RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { removeSession } from '../../../functions/sandbox/domain/sessions.ts';
import { submit } from '../../../functions/sandbox/domain/submit.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import { type ExecutionFlow, executionFlow, HELLO, LEASE_SECONDS, program } from '../../helpers/execution-flow.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const LOST_MESSAGE_SECONDS = 2 * 60;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const failed = (reason: RegExp | string) => ({
  ...{ status: 'failed', exitCode: -1, completedAt: expect.any(String) },
  output: { stdout: expect.any(String), stderr: expect.stringMatching(reason) },
});

/** The invariant: it has ended, was run at most once, and is on no list. */
async function expectEnded({ found, runs, ports, open }: ExecutionFlow, executionId: string) {
  await reconcileExecutions(ports);
  const execution = (await found(executionId))!;
  expect(execution).toMatchObject({ completedAt: expect.any(String), output: expect.any(Object) });
  expect(runs.length).toBeLessThanOrEqual(1);
  if (execution.status === 'completed')
    expect([runs.length, execution.output]).toEqual([1, { stdout: 'hello\n', stderr: '' }]);
  else expect(execution).toMatchObject(failed(/^(What ran it ended|The runner ended)/));
  expect(await open()).toEqual([]);
  return execution;
}

/** Does `work` with the fault at its first port call, at its second and so on, each time in a new flow. */
async function walk(fault: Fault, work: (flow: ExecutionFlow, fault: Fault | null, at: number) => Promise<string[]>) {
  const { length } = await work(executionFlow(dynamo), null, 0);
  expect(length).toBeGreaterThan(2);
  for (const at of sampledCalls(length)) await work(executionFlow(dynamo), fault, at);
}

it.each(FAULTS)('%s: at every port call of a program with a key, it runs once at most, and all calls agree', (fault) =>
  walk(fault, async (flow, ...how) => {
    const pause = { wait: async (ms: number) => flow.clock.advance(ms / 1000) };
    const once = (ports: typeof flow.ports) =>
      executeOnce(
        program(),
        'run_1:node:1',
        { ...flow.caller, untilMs: flow.clock.now() + LEASE_SECONDS * 1000 },
        { ...ports, pause },
      );
    const { ports, calls } = faultyPorts(flow.ports, ...how);
    await once(ports).catch(() => undefined);
    flow.lapse();
    const second = await once(flow.ports);
    expect(flow.runs.length).toBeLessThanOrEqual(1);
    // A run whose end is unknown is not reported as completed.
    if (second.status === 'completed') expect([second.stdout, flow.runs.length]).toEqual(['hello\n', 1]);
    else expect(second.exitCode).toBe(-1);
    expect(await once(flow.ports)).toEqual(second);
    await reconcileExecutions(flow.ports);
    expect(await flow.open()).toEqual([]);
    return calls;
  }),
);

it.each(FAULTS)(
  '%s: at every port call of the worker, redelivery ends the execution, and never runs it again',
  (fault) =>
    walk(fault, async (flow, ...how) => {
      const { executionId } = await flow.submit();
      const [message] = flow.messages;
      const { calls } = await flow.work(message!, ...how);
      for (let deliveries = 0; deliveries < 3; deliveries++) {
        flow.lapse();
        await flow.work(message!);
      }
      expect((await flow.work(message!)).outcome).toBe('ack');
      await expectEnded(flow, executionId);
      return calls;
    }),
);

it.each(FAULTS)(
  '%s: at every port call of the worker, the reconciler ends it when no message comes any more',
  (fault) =>
    walk(fault, async (flow, ...how) => {
      const { executionId } = await flow.submit();
      const { calls } = await flow.work(flow.messages.pop()!, ...how);
      flow.clock.advance(Math.max(LEASE_SECONDS, LOST_MESSAGE_SECONDS) + 1);
      await reconcileExecutions(flow.ports);
      for (const message of flow.messages) await flow.work(message);
      await expectEnded(flow, executionId);
      return calls;
    }),
);

it.each(FAULTS)('%s: at every port call of a submission, stored executions run once, and no others run', (fault) =>
  walk(fault, async (flow, ...how) => {
    const { ports: faulty, calls } = faultyPorts(flow.ports, ...how);
    const accepted = await submit(flow, program(), faulty).catch(() => null);
    flow.clock.advance(LOST_MESSAGE_SECONDS + 1);
    await reconcileExecutions(flow.ports);
    for (const message of flow.messages) await flow.work(message);
    const stored = (await flow.traces()).flatMap(({ status, executionId }) => (status ? [String(executionId)] : []));
    if (accepted) expect(stored).toEqual([accepted.executionId]);
    expect(flow.runs).toHaveLength(stored.length);
    for (const executionId of stored)
      expect(await expectEnded(flow, executionId)).toMatchObject({ status: 'completed' });
    return calls;
  }),
);

it.each(FAULTS)('%s: at every port call of the reconciler, its next round does the rest', (fault) =>
  walk(fault, async (flow, ...how) => {
    const pending = await flow.submit();
    const running = await flow.submit();
    await flow.work({ workspaceId: flow.workspaceId, executionId: running.executionId }, 'killed before', 'pool.run');
    flow.messages.length = 0;
    flow.clock.advance(LOST_MESSAGE_SECONDS + 1);
    const { ports: faulty, calls } = faultyPorts(flow.ports, ...how);
    await reconcileExecutions(faulty).catch(() => undefined);
    flow.clock.advance(2 * LOST_MESSAGE_SECONDS + 1);
    await reconcileExecutions(flow.ports);
    for (const message of flow.messages) await flow.work(message);
    expect(await expectEnded(flow, pending.executionId)).toMatchObject({ status: 'completed' });
    expect(await flow.found(running.executionId)).toMatchObject(failed(/^What ran it ended/));
    return calls;
  }),
);

it.each(FAULTS)(
  '%s: at every port call of a call with a session, it is run once at most, and its record ends',
  (fault) =>
    walk(fault, async (flow, ...how) => {
      const { ports: faulty, calls } = faultyPorts(flow.ports, ...how);
      const caller = { ...flow.caller, untilMs: flow.clock.now() + LEASE_SECONDS * 1000 };
      const result = await execute(program({ sessionId: 'walk' }), caller, faulty).catch(() => null);
      flow.lapse();
      await reconcileExecutions(flow.ports);
      const session = { workspaceId: flow.workspaceId, sessionId: 'walk' };
      const recorded = await flow.ports.sessions.executions(session, 10, null);
      expect(recorded.length).toBeLessThanOrEqual(1);
      if (result) expect(recorded.map(({ executionId }) => executionId)).toEqual([result.executionId]);
      for (const { executionId } of recorded) await expectEnded(flow, executionId);
      return calls;
    }),
);

describe.each(FAULTS)('%s: at every port call', (fault) => {
  it('of a cancelling, doing it again does the rest', () =>
    walk(fault, async (flow, ...how) => {
      const { workspaceId, executionId } = await flow.submit();
      const { ports: faulty, calls } = faultyPorts(flow.ports, ...how);
      await cancel({ workspaceId, executionId }, faulty).catch(() => undefined);
      await cancel({ workspaceId, executionId }, flow.ports);
      for (const message of flow.messages) expect((await flow.work(message)).outcome).toBe('ack');
      expect(flow.runs).toEqual([]);
      const ended = await flow.found(executionId);
      // The second one may have removed what the first one had cancelled.
      if (ended) expect(ended).toMatchObject(failed('Execution cancelled'));
      return calls;
    }));

  it('of the removal of a session, doing it again leaves nothing', () =>
    walk(fault, async (flow, ...how) => {
      await flow.submit({ sessionId: 's', stdin: 'x'.repeat(10_000) });
      const ended = await flow.submit({ sessionId: 's' });
      await flow.work(ended);
      const { ports: faulty, calls } = faultyPorts(flow.ports, ...how);
      const session = { workspaceId: flow.workspaceId, sessionId: 's' };
      const untilMs = flow.clock.now() + 20_000;
      await removeSession(session, untilMs, faulty).catch(() => undefined);
      await removeSession(session, untilMs, flow.ports);
      expect(await flow.traces()).toEqual([]);
      expect([...flow.stored.keys()]).toEqual([]);
      for (const message of flow.messages) expect((await flow.work(message)).outcome).toBe('ack');
      expect(flow.runs).toHaveLength(1);
      return calls;
    }));
});

describe('a worker that is slow', () => {
  async function slowRun() {
    const flow = executionFlow(dynamo);
    const { executionId } = await flow.submit();
    const begun = Promise.withResolvers<void>();
    const outcome = Promise.withResolvers<RunOutcome>();
    flow.how.run = () => {
      begun.resolve();
      return outcome.promise;
    };
    const working = flow.work(flow.messages[0]!);
    await begun.promise;
    const finish = async () => {
      outcome.resolve(HELLO);
      return working;
    };
    return { flow, executionId, finish };
  }

  it('keeps its execution when the message is delivered a second time', async () => {
    const { flow, executionId, finish } = await slowRun();
    expect((await flow.work(flow.messages[0]!)).outcome).toBe('retry');
    await giveUp(flow.messages[0]!, flow.ports);
    await reconcileExecutions(flow.ports);
    expect(await flow.found(executionId)).toMatchObject({ status: 'running' });
    expect((await finish()).outcome).toBe('ack');
    expect(await expectEnded(flow, executionId)).toMatchObject({ status: 'completed' });
    expect((await flow.work(flow.messages[0]!)).outcome).toBe('ack');
  });

  it('a worker whose lease has lapsed changes nothing once the execution has ended', async () => {
    const { flow, executionId, finish } = await slowRun();
    flow.lapse();
    expect((await flow.work(flow.messages[0]!)).outcome).toBe('ack');
    const lost = await flow.found(executionId);
    expect(lost).toMatchObject(failed(/^What ran it ended/));
    expect((await finish()).outcome).toBe('ack');
    expect(await flow.found(executionId)).toEqual(lost);
    await expectEnded(flow, executionId);
  });
});

describe('without a free runner', () => {
  const busy = async () => {
    throw new SandboxUnavailable('All runners are busy.');
  };

  it('it is pending again, and runs when there is one', async () => {
    const flow = executionFlow(dynamo);
    const { executionId } = await flow.submit();
    flow.how.run = busy;
    for (let tries = 0; tries < 3; tries++) {
      expect((await flow.work(flow.messages[0]!)).outcome).toBe('retry');
      expect(await flow.found(executionId)).toMatchObject({ status: 'pending', startedAt: null });
    }
    flow.runs.length = 0;
    flow.how.run = async () => HELLO;
    expect((await flow.work(flow.messages[0]!)).outcome).toBe('ack');
    expect(await expectEnded(flow, executionId)).toMatchObject({ status: 'completed' });
  });

  it('it fails in the end, and says that nothing has run', async () => {
    const flow = executionFlow(dynamo);
    const { executionId } = await flow.submit();
    expect(await giveUp(flow.messages[0]!, flow.ports)).toBe('ack');
    expect(await flow.found(executionId)).toMatchObject(failed(/no runner was free. Nothing of it has run/));
    expect((await flow.work(flow.messages[0]!)).outcome).toBe('ack');
    expect(flow.runs).toEqual([]);
  });

  it('and when its messages are lost again and again, too', async () => {
    const flow = executionFlow(dynamo);
    const { executionId } = await flow.submit();
    for (let round = 0; round < 9; round++) {
      flow.messages.length = 0;
      flow.clock.advance(LOST_MESSAGE_SECONDS * 2 ** round + 1);
      await reconcileExecutions(flow.ports);
    }
    expect(await flow.found(executionId)).toMatchObject(failed(/no runner was free/));
  });

  it('a call with a session leaves no record', async () => {
    const flow = executionFlow(dynamo);
    flow.how.run = busy;
    const caller = { ...flow.caller, untilMs: flow.clock.now() + 60_000 };
    await expect(execute(program({ sessionId: 's' }), caller, flow.ports)).rejects.toThrow(SandboxUnavailable);
    expect(await flow.traces()).toEqual([]);
  });
});

it('after a restart of a single process, started executions are ended, and the others run', async () => {
  const flow = executionFlow(dynamo);
  const started = await flow.submit();
  await flow.work(started, 'killed before', 'pool.run');
  const pending = await flow.submit();
  flow.messages.length = 0;
  await reconcileExecutions(flow.ports, { afterRestart: true });
  expect(await flow.found(started.executionId)).toMatchObject(failed(/^What ran it ended/));
  expect(flow.messages.map(({ executionId }) => executionId)).toEqual([pending.executionId]);
  await flow.work(flow.messages[0]!);
  expect(await expectEnded(flow, pending.executionId)).toMatchObject({ status: 'completed' });
});
