import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, executeBatch } from '../../../functions/sandbox/domain/execute.ts';
import type { RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import { executionFlow, HELLO, program } from '../../helpers/execution-flow.ts';
import { faultyPorts } from '../../helpers/faulty-ports.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A flow whose port calls are written down. */
function observed() {
  const flow = executionFlow(dynamo);
  const caller = { ...flow.caller, untilMs: flow.clock.now() + 60_000 };
  return { flow, caller, ...faultyPorts(flow.ports, null, 0) };
}

it('records nothing of a call without a session', async () => {
  const { caller, ports, calls, flow } = observed();
  expect(await execute(program(), caller, ports)).toMatchObject({ stdout: 'hello\n', sessionId: null });
  await executeBatch([program(), program()], caller, ports);
  expect(calls.filter((name) => /^(executions|leases|sessions|queue)/.test(name))).toEqual([]);
  expect(await flow.traces()).toEqual([]);
});

it('counts the other programs of a batch as held while one waits', async () => {
  const { flow, caller } = observed();
  const held: (number | undefined)[] = [];
  flow.how.run = async (_run, { bytesWithIt }) => {
    held.push(bytesWithIt);
    return HELLO;
  };
  const file = { path: 'a', base64: 'YWJj' };
  const stored = { path: 'b', object: 'ws/b', size: 1e6 };
  const requests = [program({ code: '12', files: [file, stored] }), program({ code: '12345' })];
  await executeBatch(requests, caller, flow.ports);
  expect(held).toEqual([5, 6]);
});

it('records a call of a session by two writes around the run', async () => {
  const { caller, ports, calls } = observed();
  const { executionId } = await execute(program({ sessionId: 's' }), caller, ports);
  expect(executionId).toMatch(/^exec_/);
  expect(calls.filter((name) => /^(executions|leases|pool\.run)/.test(name))).toEqual([
    'executions.create',
    'pool.run',
    'leases.end',
  ]);
});

it('gives the result of a call of a session also where its end cannot be recorded', async () => {
  const { flow, caller } = observed();
  const { ports } = faultyPorts(flow.ports, 'fails before', 'leases.end');
  expect(await execute(program({ sessionId: 's' }), caller, ports)).toMatchObject({ exitCode: 0 });
});

it('runs nothing of a session that cannot be recorded; the others of the batch run', async () => {
  const { flow, caller } = observed();
  const { ports } = faultyPorts(flow.ports, 'fails before', 'executions.create');
  const reason = 'It could not be recorded for its session, and was not started.';
  await expect(execute(program({ sessionId: 's' }), caller, ports)).rejects.toThrow(reason);
  const results = await executeBatch([program({ sessionId: 's' }), program()], caller, ports);
  expect(results).toMatchObject([{ exitCode: -1, stderr: reason }, { exitCode: 0 }]);
  expect(flow.runs).toHaveLength(1);
});

it('records the items of a batch under the ids of their results, failed ones too', async () => {
  const { flow, caller } = observed();
  flow.how.run = async ({ code }) => (code === 'bad' ? { kind: 'invalid_syntax', message: 'no', seconds: 0.1 } : HELLO);
  const requests = ['good', 'bad'].map((code) => program({ code, sessionId: 's' }));
  const [good, bad] = await executeBatch(requests, caller, flow.ports);
  expect(await flow.found(good!.executionId)).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(await flow.found(bad!.executionId)).toMatchObject({
    ...{ status: 'failed', exitCode: -1 },
    output: { stderr: 'Invalid code syntax: no' },
  });
});

it.each<[string, () => Promise<RunOutcome>, string]>([
  [
    'ran out of time',
    async () => ({ kind: 'timed_out', stdout: 'so far', stderr: '', seconds: 300 }),
    'Execution timed out after 300 seconds',
  ],
  [
    'was lost',
    () => Promise.reject(new Error('reset')),
    'The runner ended in the middle of it; it was not started again.',
  ],
])('gives a failure as a result when the caller has seen a success status: it %s', async (_, run, stderr) => {
  const { flow, caller } = observed();
  const lateAtMs = flow.clock.now() + 235_000;
  flow.how.run = () => {
    flow.clock.advance(235);
    return run();
  };
  const long = program({ timeoutSeconds: 300 });
  expect(await execute(long, { ...caller, lateAtMs }, flow.ports)).toMatchObject({ exitCode: -1, stderr });
  flow.how.run = run;
  const inTime = { ...caller, lateAtMs: flow.clock.now() + 1 };
  await expect(execute(long, inTime, flow.ports)).rejects.toThrow(stderr);
});
