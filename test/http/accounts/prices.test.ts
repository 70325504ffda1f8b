import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { ledgerPage, usageReport } from '../../../functions/accounts/schemas.ts';
import { startPlatformServer } from '../../../local/played-platforms/server.ts';
import { call } from '../../helpers/api.ts';
import { createChannel, eventually, sendMessage } from '../../helpers/channels.ts';
import {
  applicationOn,
  chatRefusalOf,
  complete,
  completionOf,
  createApplication,
  createToken,
  dataOf,
  sendStream,
  stream,
} from '../../helpers/chat.ts';
import { detailOf, execute, executeBatch, javascript, submit, until, whyNoSandbox } from '../../helpers/sandbox.ts';
import { says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useOwnService } from '../../helpers/service.ts';
import { publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

/** A deployment whose answers cost 1,000 KRW for 1,000 tokens, and whose programs cost 7 KRW a second. */
process.env.PRICE_CHAT_KRW_PER_1K_TOKENS = '1000';
process.env.PRICE_SANDBOX_KRW_PER_SECOND = '7';

const service = useOwnService();
afterAll(() => {
  delete process.env.PRICE_CHAT_KRW_PER_1K_TOKENS;
  delete process.env.PRICE_SANDBOX_KRW_PER_SECOND;
});

let workspace: TestWorkspace;
const as = ({ apiKey }: TestWorkspace) => ({ baseUrl: service.baseUrl, apiKey, workspaceId: workspace.workspaceId });

beforeEach(async () => {
  workspace = await createWorkspace({ balanceKrw: 10_000 });
});

async function entriesOf({ apiKey: key }: TestWorkspace): Promise<z.output<typeof ledgerPage>['entries']> {
  const { json } = await call(service, 'GET', '/api/v1/balance/entries', { key });
  return ledgerPage
    .strict()
    .parse(json)
    .entries.filter(({ type }) => type !== 'opening');
}

const usageOf = async ({ apiKey: key }: TestWorkspace, query = '') =>
  dataOf(await call(service, 'GET', `/api/v1/usage${query}`, { key }), usageReport.strict());

describe('chat on the operator’s models', () => {
  it('costs its tokens, by an entry that names the answer, the key and, in the usage, the application', async () => {
    const { id } = await createApplication(as(workspace));
    const completion = completionOf(await complete(as(workspace), id, {}));
    const price = completion.usage!.total_tokens;
    expect(await entriesOf(workspace)).toEqual([
      {
        ...{ id: expect.any(String), type: 'chat', amountKrw: -price, balanceAfterKrw: 10_000 - price },
        ...{ reference: completion.id, apiKeyId: workspace.keyId, createdAt: expect.any(String) },
      },
    ]);
    await expect.poll(async () => (await usageOf(workspace)).total.calls).toBe(1);
    const { groups } = await usageOf(workspace, '?group_by=application');
    expect(groups).toMatchObject([{ group: id, calls: 1, krw: price, tokens_in: completion.usage!.prompt_tokens }]);
  });

  it('costs the same as a stream, which is charged before its last event', async () => {
    const { id } = await createApplication(as(workspace));
    const { chunks, failure } = await stream(as(workspace), id, { stream_options: { include_usage: true } });
    expect(failure).toBeNull();
    const tokens = chunks.at(-1)!.usage!.total_tokens;
    expect((await entriesOf(workspace)).map(({ amountKrw }) => amountKrw)).toEqual([-tokens]);
  });

  it('is 402 before a model is asked when the balance does not cover the longest answer', async () => {
    workspace = await createWorkspace({ balanceKrw: 100 });
    const { id } = await createApplication(as(workspace));
    const answer = await complete(as(workspace), id, { max_tokens: 100 });
    expect(chatRefusalOf(answer)).toEqual({
      ...{ status: 402, code: 'insufficient_balance' },
      message: expect.stringMatching(/^The balance of 100 KRW does not cover an answer of up to 1\d\d KRW\. Top up/),
    });
    const streamed = await sendStream(as(workspace), id, { max_tokens: 100 });
    expect([streamed.status, streamed.headers.get('x-should-retry')]).toEqual([402, 'false']);
    expect(completionOf(await complete(as(workspace), id, { max_tokens: 20 })).object).toBe('chat.completion');
    expect(await entriesOf(workspace)).toHaveLength(1);
  });

  it('is charged once for an Idempotency-Key, and again without one', async () => {
    const { id } = await createApplication(as(workspace));
    const headers = { 'x-session-id': 's1', 'idempotency-key': 'order-1' };
    for (let times = 0; times < 3; times++) completionOf(await complete(as(workspace), id, {}, { headers }));
    expect(await entriesOf(workspace)).toHaveLength(1);
    for (let times = 0; times < 2; times++) completionOf(await complete(as(workspace), id, {}));
    expect(await entriesOf(workspace)).toHaveLength(3);
  });

  it('is charged for each session and application that an Idempotency-Key is used in', async () => {
    workspace = await createWorkspace({ balanceKrw: 100_000 });
    const applications = [await createApplication(as(workspace)), await createApplication(as(workspace))];
    const answers = applications.flatMap(({ id }) =>
      ['s1', 's2'].map((session) => ({ id, headers: { 'x-session-id': session, 'idempotency-key': 'k' } })),
    );
    const ask = ({ id, headers }: (typeof answers)[number]) => complete(as(workspace), id, {}, { headers });
    const usages = (await Promise.all(answers.map(ask))).map((answer) => completionOf(answer).usage!.total_tokens);
    completionOf(await ask(answers[0]!));
    const entries = await entriesOf(workspace);
    expect(entries).toHaveLength(answers.length);
    expect(entries.reduce((sum, { amountKrw }) => sum - amountKrw, 0)).toBe(usages.reduce((a, b) => a + b, 0));
  });

  it('is free on a model that the workspace connects itself, with an empty balance', async () => {
    const provider = await scriptedProvider();
    provider.plays(says('Good day.'));
    workspace = await createWorkspace({ balanceKrw: 0 });
    const { id } = await applicationOn(as(workspace), provider.baseUrl);
    expect(completionOf(await complete(as(workspace), id, {})).choices).toHaveLength(1);
    expect(await entriesOf(workspace)).toEqual([]);
    await provider.stop();
  });

  it('is paid by the workspace of a channel', async () => {
    const platform = await startPlatformServer();
    platform.plays('ok');
    const channel = await createChannel(as(workspace), 'custom', platform.baseUrl);
    await sendMessage(service, channel, { conversation: 'c1', text: 'Hello' } as never, platform.baseUrl);
    const [entry] = await eventually(async () => {
      const entries = await entriesOf(workspace);
      return entries.length > 0 && entries;
    });
    expect(entry).toMatchObject({ type: 'chat', apiKeyId: null });
    await platform.stop();
  });

  it('is paid by the workspace of a workflow, by an entry that names the run', async () => {
    const { id } = await createApplication(as(workspace));
    const passages = [{ text: 'Hello: a greeting.' }];
    const ask = node('ask', 'agent', { prompt: 'Hello', application_id: id, passages });
    const asks = graph([node('start', 'start'), ask], ['start > ask']);
    const { json } = await runWorkflow(as(workspace), await publishedWorkflow(as(workspace), asks));
    expect([json.data.status, json.data.failure]).toEqual(['succeeded', null]);
    const { prompt_tokens, completion_tokens } = json.data.usage as Record<string, number>;
    expect(await entriesOf(workspace)).toMatchObject([
      { type: 'chat', amountKrw: 0 - (prompt_tokens! + completion_tokens!), reference: json.data.id },
    ]);
    workspace = await createWorkspace({ balanceKrw: 1 });
    const embedded = graph(
      [node('start', 'start'), node('ask', 'agent', { prompt: 'Hello', passages })],
      ['start > ask'],
    );
    const poor = await runWorkflow(as(workspace), await publishedWorkflow(as(workspace), embedded));
    expect(poor.json.data.failure).toMatchObject({ code: 'insufficient_balance', node_id: 'ask' });
  });

  it('is paid by the workspace of a public chatbot, and shows under its access token', async () => {
    const { id } = await createApplication(as(workspace));
    const made = await createToken(as(workspace), id);
    completionOf(await complete(as(workspace), made.token, {}, { key: null }));
    const [entry] = await entriesOf(workspace);
    expect(entry).toMatchObject({ type: 'chat', apiKeyId: null });
    const groups = async () => (await usageOf(workspace, '?group_by=access_token')).groups;
    await expect.poll(groups).toMatchObject([{ group: made.id, calls: 1, krw: 0 - entry!.amountKrw }]);
  });

  it('keeps to the budget of the key in KRW', async () => {
    const budget = { krw_per_day: 30 };
    await call(service, 'PUT', `/api/v1/budgets/key/${workspace.keyId}`, { key: workspace.apiKey, body: budget });
    const { id } = await createApplication(as(workspace));
    expect(chatRefusalOf(await complete(as(workspace), id, { max_tokens: 50 }))).toMatchObject({
      ...{ status: 429, code: 'budget_used_up' },
    });
  });
});

describe('programs', () => {
  let cannot = '';
  beforeAll(async () => {
    cannot = await whyNoSandbox(service);
  });
  beforeEach(({ skip }) => {
    if (cannot !== '') skip(cannot);
  });

  it('cost their started seconds, alone, in a batch, in a session and in the background', async () => {
    const quick = javascript('console.log(1)', { timeout: 5 });
    const caller = as(workspace);
    const alone = await execute(caller, quick);
    const batch = await executeBatch(caller, [quick, quick]);
    const recorded = await execute(caller, { ...quick, session_id: 's1' });
    const { execution_id } = await submit(caller, quick);
    expect((await until(caller, execution_id)).status).toBe('completed');
    expect([alone, batch, recorded].map(({ status }) => status)).toEqual([200, 200, 200]);
    const results = [alone.json, ...(batch.json as object[]), recorded.json] as { execution_id: string }[];
    const entries = await entriesOf(workspace);
    expect(entries.map(({ reference }) => reference).toReversed()).toEqual([
      ...results.map(({ execution_id: id }) => id),
      execution_id,
    ]);
    for (const { type, amountKrw } of entries)
      expect([type, amountKrw % 7, amountKrw < 0]).toEqual(['sandbox', -0, true]);
    const charged = entries.reduce((sum, { amountKrw }) => sum - amountKrw, 0);
    expect((await usageOf(workspace, '?group_by=key')).groups).toMatchObject([
      { group: workspace.keyId, calls: 5, krw: charged },
    ]);
  });

  it('are 402 before they run when the balance does not cover their timeout, and a batch when it does not cover all', async () => {
    workspace = await createWorkspace({ balanceKrw: 69 });
    const caller = as(workspace);
    const body = javascript('console.log(1)', { timeout: 10 });
    for (const path of ['', '/async']) {
      const refused = await call(caller, 'POST', `/api/v1/execute${path}`, { body });
      expect([refused.status, detailOf(refused)]).toEqual([
        402,
        expect.stringContaining('The balance of 69 KRW does not cover the program of up to 70 KRW.'),
      ]);
    }
    const five = { ...body, timeout: 5 };
    expect((await executeBatch(caller, [five, five])).status).toBe(402);
    expect(await entriesOf(workspace)).toEqual([]);
    expect((await execute(caller, five)).status).toBe(200);
  });

  it('are paid by the workspace of a workflow', async () => {
    const code = node('run', 'code', { language: 'javascript', code: 'console.log("{}")', outputs: {} });
    const runs = graph([node('start', 'start'), code], ['start > run']);
    const { json } = await runWorkflow(as(workspace), await publishedWorkflow(as(workspace), runs));
    expect([json.data.status, json.data.failure]).toEqual(['succeeded', null]);
    expect((await entriesOf(workspace)).map(({ type }) => type)).toEqual(['sandbox']);
  });
});
