import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOLD_MS } from '../../../functions/accounts/domain/hold.ts';
import { HeldFunds } from '../../../functions/accounts/domain/hold-funds.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoHolds } from '../../../functions/adapters/accounts/dynamo-holds.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { DEFAULT_CONFIG } from '../../../functions/chat/domain/application.ts';
import { ChargedModels } from '../../../functions/chat/domain/charged-models.ts';
import { ModelFailed, type ModelPart, type ModelRequest } from '../../../functions/chat/domain/chat-model.ts';
import { extract } from '../../../functions/extraction/domain/extract.ts';
import { cancel } from '../../../functions/sandbox/domain/cancel.ts';
import { execute } from '../../../functions/sandbox/domain/execute.ts';
import { executeOnce } from '../../../functions/sandbox/domain/execute-once.ts';
import { processExecution } from '../../../functions/sandbox/domain/process-execution.ts';
import { reconcileExecutions } from '../../../functions/sandbox/domain/reconcile-executions.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { type ExecutionFlow, executionFlow, HELLO, LEASE_SECONDS, program } from '../../helpers/execution-flow.ts';
import { extractCommand, extractPorts, openAccount, traces } from '../../helpers/extract-flow.ts';
import { instantBackoff } from '../../helpers/fakes.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const BALANCE = 1_000;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** The ledger adds up, and no money is held once the time of all holds is over. */
async function expectExact(workspaceId: string, release: () => Promise<unknown>) {
  await release();
  const { account, entries } = await traces(dynamo, workspaceId);
  const charged = entries.reduce((sum, { amountKrw }) => sum + amountKrw, 0);
  expect([account.balanceKrw, account.heldKrw ?? 0]).toEqual([BALANCE + charged, 0]);
  expect(entries.every(({ balanceKrw }) => balanceKrw >= 0)).toBe(true);
  const usage = await dynamo.items('usage', `WORKSPACE#${workspaceId}`);
  expect(usage.reduce((sum, { krw = 0 }) => sum + Number(krw), 0)).toBe(0 - charged);
  return entries;
}

describe('an answer of a model at a price', () => {
  const request: ModelRequest = {
    ...{ messages: [{ role: 'user', content: 'Hello' }], temperature: null, topP: null, maxTokens: 95, stop: [] },
    ...{ tools: [], toolChoice: null, responseFormat: null, more: {} },
  };
  const USAGE = { prompt_tokens: 10, completion_tokens: 40, total_tokens: 50 };
  const whole: ModelPart[] = [
    { kind: 'text', text: 'Good ' },
    { kind: 'text', text: 'day.' },
    { kind: 'finish', reason: 'stop' },
    { kind: 'usage', usage: USAGE },
  ];

  async function openClient(balanceKrw = BALANCE) {
    const clock = testClock();
    const workspaceId = await openAccount(dynamo, { balanceKrw, freeCallsUsed: 10 });
    const asked = { times: 0 };
    const answers: { parts: () => AsyncGenerator<ModelPart> } = {
      async *parts() {
        yield* whole;
      },
    };
    const ports = {
      accounts: new DynamoAccounts(dynamo.client, TABLES.accounts),
      holds: new DynamoHolds(dynamo.client, TABLES),
      model: {
        async begin() {
          asked.times += 1;
        },
      },
      clock,
      ids: ulidIds,
    };
    const funds = (through: typeof ports) =>
      new HeldFunds({ ...through, backoff: instantBackoff, onUnreleased: () => undefined });
    async function ask(
      how: [Fault, number] | null,
      key?: string,
      take = Number.POSITIVE_INFINITY,
      signal?: AbortSignal,
    ) {
      const { ports: faulty, calls } = faultyPorts(ports, how?.[0] ?? null, how?.[1] ?? 0);
      const models = new ChargedModels(
        {
          async *stream() {
            await faulty.model.begin();
            yield* answers.parts();
          },
        },
        { funds: funds(faulty), clock: faulty.clock, ids: faulty.ids, krwPer1kTokens: 100 },
      );
      const asker = {
        workspaceId,
        applicationId: 'app_1',
        keyId: 'k1',
        work: { reference: 'answer_1', ...(key && { key }) },
      };
      const model = { ...DEFAULT_CONFIG.model, provider: 'embedded' as const };
      const got: ModelPart[] = [];
      const never = new AbortController().signal;
      let error: unknown;
      try {
        for await (const part of models.stream(model, asker, request, signal ?? never)) {
          got.push(part);
          if (got.length >= take) break;
        }
      } catch (caught) {
        error = caught;
      }
      return { got, calls, error };
    }
    /** Work that needs the whole balance ends the holds of the dead. */
    async function release() {
      clock.advance(HOLD_MS / 1000 + 1);
      const { account } = await traces(dynamo, workspaceId);
      await funds(ports).require({ workspaceId, keyId: null, kind: 'chat' }, account.balanceKrw);
    }
    return { ask, release, workspaceId, asked, answers, clock, funds, ports };
  }

  it.each(FAULTS)(
    '%s: at every port call, money is neither lost nor held for ever, and the whole answer is charged once',
    async (fault) => {
      const { calls } = await (await openClient()).ask(null, 'request');
      expect(calls.length).toBeGreaterThan(4);
      for (let at = 0; at < calls.length; at++) {
        const client = await openClient();
        const first = await client.ask([fault, at], 'request');
        const second = await client.ask(null, 'request');
        expect(second.got).toEqual(whole);
        const entries = await expectExact(client.workspaceId, client.release);
        // 50 tokens at 100 KRW for 1,000; for both attempts together.
        expect(entries.map(({ kind, amountKrw, reference }) => [kind, amountKrw, reference])).toEqual([
          ['chat', -5, 'answer_1'],
        ]);
        if (first.error) expect(first.got.some(({ kind }) => kind === 'finish')).toBe(false);
      }
    },
  );

  it.each(FAULTS)(
    '%s: at every port call of an answer without a key, only a whole answer is charged',
    async (fault) => {
      for (let at = 0; ; at++) {
        const client = await openClient();
        const { calls, got } = await client.ask([fault, at]);
        const entries = await expectExact(client.workspaceId, client.release);
        if (got.length === whole.length) expect(entries).toHaveLength(1);
        else expect(entries.length).toBeLessThanOrEqual(1);
        if (at >= calls.length) return;
      }
    },
  );

  it('is refused before the model is asked when the balance does not cover the longest answer', async () => {
    const client = await openClient(9);
    const { error } = await client.ask(null);
    expect(error).toBeInstanceOf(ModelFailed);
    expect(error).toMatchObject({
      code: 'insufficient_balance',
      message: expect.stringContaining('The balance of 9 KRW does not cover an answer of up to 11 KRW'),
      details: { balanceKrw: 9, availableKrw: 9, requiredKrw: 11 },
    });
    expect(client.asked.times).toBe(0);
    expect((await traces(dynamo, client.workspaceId)).entries).toEqual([]);
  });

  it('gives the money back that a dead answer held, as soon as an extraction needs it', async () => {
    const client = await openClient(200);
    await client.ask(['killed before', (await (await openClient()).ask(null)).calls.indexOf('model.begin')]);
    const ports = { ...extractPorts(dynamo, client.clock), heldFunds: client.funds(client.ports) };
    expect((await traces(dynamo, client.workspaceId)).account).toMatchObject({ balanceKrw: 200, heldKrw: 11 });
    const extractOnce = () => extract(extractCommand(client.workspaceId, null, client.clock), ports);
    await expect(extractOnce()).rejects.toMatchObject({
      refusal: 'insufficient_balance',
      message: expect.stringContaining('(11 KRW are held for work under way)'),
    });
    client.clock.advance(HOLD_MS / 1000 + 1);
    expect((await extractOnce()).result.cost).toEqual({ krw: 200, free: false });
  });

  it('is free when the provider breaks off, and costs its tokens so far when the client leaves', async () => {
    const client = await openClient();
    client.answers.parts = async function* () {
      yield whole[0]!;
      throw new ModelFailed('provider_error', 'The model broke off.');
    };
    await client.ask(null);
    expect((await traces(dynamo, client.workspaceId)).entries).toEqual([]);
    client.answers.parts = async function* () {
      yield* whole;
    };
    const { got } = await client.ask(null, 'request', 1);
    expect(got).toEqual(whole.slice(0, 1));
    const [left] = await expectExact(client.workspaceId, client.release);
    expect(left!.amountKrw).toBeLessThan(0);
    // The rest of the answer is another answer.
    await client.ask(null, 'request');
    expect(await expectExact(client.workspaceId, client.release)).toHaveLength(2);
  });

  it('is free when the service runs out of time', async () => {
    const client = await openClient();
    const gone = new AbortController();
    client.answers.parts = async function* () {
      yield whole[0]!;
      gone.abort(Object.assign(new Error('late'), { code: 'timeout' }));
      throw gone.signal.reason;
    };
    await client.ask(null, undefined, 9, gone.signal);
    expect(await expectExact(client.workspaceId, client.release)).toEqual([]);
  });

  it('is charged each time when a key is used again and again', async () => {
    const client = await openClient();
    for (let times = 0; times < 9; times++) await client.ask(null, 'request');
    // Crashes may lose an answer three times, and a client that asks again cannot be distinguished from one that lost it.
    expect(await expectExact(client.workspaceId, client.release)).toHaveLength(3);
  });

  it('never overdraws a balance, by 40 answers at the same time', async () => {
    const client = await openClient(50);
    const all = await Promise.all(Array.from({ length: 40 }, () => client.ask(null)));
    const answered = all.filter(({ got }) => got.length === whole.length).length;
    const { account, entries } = await traces(dynamo, client.workspaceId);
    expect(entries).toHaveLength(answered);
    expect(account).toMatchObject({ balanceKrw: 50 - 5 * answered, heldKrw: 0 });
    expect(answered).toBeGreaterThan(0);
    for (const { error } of all.filter(({ got }) => got.length === 0))
      expect(['insufficient_balance', undefined]).toContain((error as { code?: string }).code);
  });
});

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
        const entries = await expectExact(flow.workspaceId, flow.release);
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
        const entries = await expectExact(flow.workspaceId, flow.release);
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
        expect(await expectExact(flow.workspaceId, flow.release)).toHaveLength(status === 'completed' ? 1 : 0);
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
      const entries = await expectExact(flow.workspaceId, flow.release);
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
    expect(await expectExact(flow.workspaceId, async () => undefined)).toEqual([]);
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
        // The program begins first.
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
    const entries = await expectExact(flow.workspaceId, async () => undefined);
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
    const entries = await expectExact(flow.workspaceId, async () => undefined);
    expect(entries.map(({ amountKrw }) => amountKrw)).toEqual([-5 * KRW]);
  });
});
