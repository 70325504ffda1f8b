import { beforeEach, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { applicationOn, complete, createApplication } from '../../helpers/chat.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useOwnService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const MAX_RUNS = 3;
process.env.RUNS_OF_WORKSPACE = String(MAX_RUNS);
const service = useOwnService();

const start = node('start', 'start');
const as = (whose: TestWorkspace) => ({ baseUrl: service.baseUrl, ...whose });
type Caller = ReturnType<typeof as>;

/** A model whose answers wait until they are released. */
async function slowModel() {
  const provider: ScriptedProvider = await scriptedProvider();
  const held = Promise.withResolvers<void>();
  provider.plays(async (...exchange) => {
    await held.promise;
    await says('done')(...exchange);
  });
  return { provider, release: held.resolve };
}

/** A workflow that asks the model. */
async function asking(caller: Caller, provider: ScriptedProvider): Promise<string> {
  const { id } = await applicationOn(caller, provider.baseUrl);
  const ask = node('ask', 'agent', { prompt: 'A question', application_id: id });
  const say = node('say', 'answer', { text: '{{ask.text}}' });
  return publishedWorkflow(caller, graph([start, ask, say], ['start > ask', 'ask > say']));
}

let greedy: Caller;
let other: Caller;
beforeEach(async () => {
  [greedy, other] = [as(await createWorkspace()), as(await createWorkspace())];
});

/** Holds every place of the greedy workspace. @returns what lets go of them */
async function withFullShare() {
  const { provider, release } = await slowModel();
  const workflow = await asking(greedy, provider);
  const running = Array.from({ length: MAX_RUNS }, () => runWorkflow(greedy, workflow));
  await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(MAX_RUNS);
  return {
    ...{ provider, workflow },
    async letGo() {
      release();
      const ended = await Promise.all(running);
      expect(ended.map(({ json }) => json.data.status)).toEqual(running.map(() => 'succeeded'));
      await provider.stop();
    },
  };
}

it('a workspace with as many runs as it may have gets 429 with Retry-After, on every route that waits for a run', async () => {
  const { workflow, letGo } = await withFullShare();
  for (const stream of [false, true]) {
    const { status, json, headers } = await call(greedy, 'POST', `/api/v1/workflows/${workflow}/run`, {
      body: { stream },
    });
    expect([status, headers.get('retry-after'), json]).toMatchObject([
      429,
      '5',
      { message: expect.stringContaining('3 runs of this workspace are under way') },
    ]);
  }
  const node = await envelope(greedy, 'POST', `/workflows/${workflow}/nodes/say/run`, { outputs: { ask: {} } });
  expect([node.status, node.json.message]).toEqual([429, expect.stringContaining('3 runs of this workspace')]);
  const evaluated = await envelope<{ cases: { status: string; reasons: string[] }[] }>(
    greedy,
    'POST',
    `/workflows/${workflow}/evaluate`,
    { version: 'published', cases: [{ name: 'one' }] },
  );
  expect(evaluated.json.data.cases).toMatchObject([
    { status: 'not_run', reasons: [expect.stringContaining('3 runs of this workspace')] },
  ]);
  const bot = await createApplication(greedy, { type: 'workflow', config: { workflow_id: workflow } });
  const asked = await complete(greedy, bot.id, { messages: [{ role: 'user', content: 'Hello' }] });
  expect([asked.status, asked.headers.get('retry-after'), asked.json]).toMatchObject([
    429,
    '5',
    { error: { code: 'rate_limit', message: expect.stringContaining('3 runs of this workspace') } },
  ]);
  const queued = await runWorkflow(greedy, workflow, { background: true });
  expect(queued.status).toBe(202);
  await letGo();
  expect((await runWorkflow(greedy, workflow)).status).toBe(200);
});

it('another workspace runs its workflows meanwhile', async () => {
  const { letGo } = await withFullShare();
  const hello = await publishedWorkflow(
    other,
    graph([start, node('say', 'answer', { text: 'Hello' })], ['start > say']),
  );
  for (let n = 0; n < 2 * MAX_RUNS; n++) expect((await runWorkflow(other, hello)).json.data.answer).toBe('Hello');
  await letGo();
});

it('runs within runs count: others are refused while they run, and they are bounded themselves', async () => {
  const { provider, release } = await slowModel();
  const inner = await asking(greedy, provider);
  const items = Array.from({ length: 10 }, (_, index) => index);
  const outer = await publishedWorkflow(
    greedy,
    graph(
      [
        start,
        node('each', 'iteration', { items, output: '{{call.answer}}', concurrency: 10, on_item_error: 'skip' }),
        node('call', 'sub_workflow', { workflow_id: inner }, { parentId: 'each' }),
        node('end', 'answer', { text: '{{each.results}}' }),
      ],
      ['start > each', 'each > end'],
    ),
  );
  const running = runWorkflow(greedy, outer);
  // One around them, and those within it up to twice the share.
  await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(2 * MAX_RUNS - 1);
  expect((await runWorkflow(greedy, inner)).status).toBe(429);
  expect(provider.requests).toHaveLength(2 * MAX_RUNS - 1);
  release();
  const { status, answer } = (await running).json.data;
  // Those beyond the share were started when others had ended.
  expect([status, JSON.parse(answer)]).toEqual(['succeeded', items.map(() => 'done')]);
  expect((await runWorkflow(greedy, inner)).status).toBe(200);
  await provider.stop();
});

it('a client that leaves frees its place', async () => {
  const { provider } = await slowModel();
  const workflow = await asking(greedy, provider);
  const leaving = new AbortController();
  const sent = Array.from({ length: MAX_RUNS }, () =>
    fetch(`${service.baseUrl}/api/v1/workflows/${workflow}/run`, {
      ...{ method: 'POST', body: '{"stream":true}', signal: leaving.signal },
      headers: { 'x-api-key': greedy.apiKey, 'content-type': 'application/json' },
    }).catch(() => null),
  );
  await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(MAX_RUNS);
  leaving.abort();
  expect((await Promise.all(sent)).filter((response) => response?.status === 429)).toEqual([]);
  const hello = await publishedWorkflow(greedy, graph([start, node('s', 'answer', { text: 'Hi' })], ['start > s']));
  await expect.poll(async () => (await runWorkflow(greedy, hello)).status, { timeout: 20_000 }).toBe(200);
  await provider.stop();
});
