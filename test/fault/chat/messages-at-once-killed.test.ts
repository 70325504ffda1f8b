import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { applicationOn, completionPath, createApplication } from '../../helpers/chat.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { type ServiceProcess, startServiceProcess } from '../../helpers/service.ts';
import { publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { listingQueries } from '../../helpers/workflows/graphs.ts';

let dataDir: string;
let provider: ScriptedProvider;
let service: ServiceProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-killed-'));
  provider = await scriptedProvider();
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startServiceProcess({ dataDir, env: { CHAT_LIMIT_PER_MINUTE: '0' } });

it('kill -9 among messages of one session at once: sent again with their keys, none loses its change, and no key is held by the dead', async () => {
  provider.plays(says('ok'));
  const model = await applicationOn(service, provider.baseUrl);
  const workflow = await publishedWorkflow(service, listingQueries(model.id));
  const { id } = await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } });
  const say = async (content: string): Promise<string[] | null> => {
    const answer = await call(service, 'POST', completionPath(id), {
      body: { messages: [{ role: 'user', content }] },
      headers: { 'x-session-id': 'one', 'idempotency-key': `key-${content.replace(' ', '-')}` },
    }).catch(() => null);
    if (answer === null) return null;
    expect([content, answer.status, answer.json]).toMatchObject([content, 200, {}]);
    const { choices } = answer.json as { choices: { message: { content: string } }[] };
    return JSON.parse(choices[0]!.message.content) as string[];
  };

  const sent = Array.from({ length: 8 }, (_, n) => `message ${n}`);
  // The third answer never comes: two have been given, one is under way and five wait when the service dies.
  provider.plays(says('ok'), says('ok'), () => undefined);
  const first = Promise.all(sent.map(say));
  await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(3);
  await service.kill();
  expect((await first).filter((list) => list === null)).toHaveLength(6);

  provider.plays(says('ok'));
  service = await start();
  expect(await say('new')).toHaveLength(3);
  const lists = (await Promise.all(sent.map(say))).map((list) => list!).sort((a, b) => a.length - b.length);
  const all = lists.at(-1)!;
  expect(all.toSorted()).toEqual([...sent, 'new']);
  for (const list of lists) expect(list).toEqual(all.slice(0, list.length));
  expect(new Set(lists.map((list) => list.length)).size).toBe(sent.length);
});
