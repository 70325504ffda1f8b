import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { HOLD_MS } from '../../../functions/accounts/domain/hold.ts';
import { HeldFunds } from '../../../functions/accounts/domain/hold-funds.ts';
import { removeBudget, setBudget } from '../../../functions/accounts/domain/manage-budgets.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoAudit } from '../../../functions/adapters/accounts/dynamo-audit.ts';
import { DynamoHolds } from '../../../functions/adapters/accounts/dynamo-holds.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { DEFAULT_CONFIG } from '../../../functions/chat/domain/application.ts';
import { ChargedModels } from '../../../functions/chat/domain/charged-models.ts';
import { ModelFailed, type ModelPart, type ModelRequest } from '../../../functions/chat/domain/chat-model.ts';
import { extract } from '../../../functions/extraction/domain/extract.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { expectExact } from '../../helpers/exact-charges.ts';
import { extractCommand, extractPorts, openAccount, traces } from '../../helpers/extract-flow.ts';
import { instantBackoff } from '../../helpers/fakes.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const BALANCE = 1_000;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

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
      for (const at of sampledCalls(calls.length)) {
        const client = await openClient();
        const first = await client.ask([fault, at], 'request');
        const second = await client.ask(null, 'request');
        expect(second.got).toEqual(whole);
        const entries = await expectExact(
          dynamo,
          { workspaceId: client.workspaceId, openingKrw: BALANCE },
          client.release,
        );
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
        const entries = await expectExact(
          dynamo,
          { workspaceId: client.workspaceId, openingKrw: BALANCE },
          client.release,
        );
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
    const [left] = await expectExact(dynamo, { workspaceId: client.workspaceId, openingKrw: BALANCE }, client.release);
    expect(left!.amountKrw).toBeLessThan(0);
    // The rest of the answer is another answer.
    await client.ask(null, 'request');
    expect(
      await expectExact(dynamo, { workspaceId: client.workspaceId, openingKrw: BALANCE }, client.release),
    ).toHaveLength(2);
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
    expect(await expectExact(dynamo, { workspaceId: client.workspaceId, openingKrw: BALANCE }, client.release)).toEqual(
      [],
    );
  });

  it('is charged each time when a key is used again and again', async () => {
    const client = await openClient();
    for (let times = 0; times < 9; times++) await client.ask(null, 'request');
    // Crashes may lose an answer three times, and a client that asks again cannot be distinguished from one that lost it.
    expect(
      await expectExact(dynamo, { workspaceId: client.workspaceId, openingKrw: BALANCE }, client.release),
    ).toHaveLength(3);
  });

  it('costs the tokens of its question when the client leaves before the first part', async () => {
    const client = await openClient();
    const gone = new AbortController();
    client.answers.parts = async function* () {
      gone.abort(new Error('gone'));
      yield* [];
      throw gone.signal.reason;
    };
    await client.ask(null, undefined, 9, gone.signal);
    const entries = await expectExact(dynamo, { workspaceId: client.workspaceId, openingKrw: BALANCE }, client.release);
    expect(entries.map(({ amountKrw }) => amountKrw)).toEqual([-1]);
  });

  it('is charged for each of two callers that ask with one key at once', async () => {
    const client = await openClient();
    const bothAsked = Promise.withResolvers<void>();
    client.answers.parts = async function* () {
      yield whole[0]!;
      if (client.asked.times === 2) bothAsked.resolve();
      await bothAsked.promise;
      yield* whole.slice(1);
    };
    await Promise.all([client.ask(null, 'request'), client.ask(null, 'request')]);
    const charged = await expectExact(dynamo, { workspaceId: client.workspaceId, openingKrw: BALANCE }, client.release);
    const { got } = await client.ask(null, 'request');
    expect(got).toEqual(whole);
    expect((await traces(dynamo, client.workspaceId)).entries).toEqual(charged);
    expect(charged.map(({ amountKrw }) => amountKrw)).toEqual([-5, -5]);
  });

  it('is charged when its hold was released before its end', async () => {
    const client = await openClient();
    client.answers.parts = async function* () {
      yield whole[0]!;
      await client.release();
      yield* whole.slice(1);
    };
    expect((await client.ask(null, 'request')).got).toEqual(whole);
    const entries = await expectExact(dynamo, { workspaceId: client.workspaceId, openingKrw: BALANCE }, client.release);
    expect(entries.map(({ amountKrw }) => amountKrw)).toEqual([-5]);
  });

  it('fits into the budget of its key together with all answers under way', async () => {
    const client = await openClient();
    const limits = { krwPerDay: 60, krwPerMonth: null, tokensPerDay: null, tokensPerMonth: null };
    const audit = new DynamoAudit(dynamo.client, TABLES.accounts, client.clock);
    const budgetPorts = {
      ...{ ...client.ports, audit, backoff: instantBackoff, budgets: client.ports.accounts },
      ...{ counters: { spent: async () => 0 } as never, subjectExists: async () => true },
    };
    const set = () => setBudget(client.workspaceId, { kind: 'key', id: 'k1' }, limits, SYSTEM_ORIGIN, budgetPorts);
    await set();
    const begun = Promise.withResolvers<void>();
    client.answers.parts = async function* () {
      yield whole[0]!;
      await begun.promise;
      yield* whole.slice(1);
    };
    const asked = Array.from({ length: 10 }, () => client.ask(null));
    await vi.waitFor(() => expect(client.asked.times).toBe(5));
    // Holds of the removed budget do not count in the next one, neither now nor at their end.
    await removeBudget(client.workspaceId, { kind: 'key', id: 'k1' }, SYSTEM_ORIGIN, budgetPorts);
    await set();
    begun.resolve();
    const all = await Promise.all(asked);
    const refused = all.filter(({ error }) => error !== undefined);
    expect(refused).toHaveLength(5);
    expect(refused[0]!.error).toMatchObject({
      code: 'budget_used_up',
      message: expect.stringContaining('0 of 60 KRW are spent and 55 KRW are held for calls under way'),
      retryAfterSeconds: 10,
    });
    const { account } = await traces(dynamo, client.workspaceId);
    expect(account).toMatchObject({ heldKrw: 0, budgets: { 'key k1': { dayKrw: 25 } } });
    expect(account.budgets!['key k1']!.heldKrw ?? 0).toBe(0);
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
