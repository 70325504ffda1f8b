import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { applicationOn, completionPath, createApplication } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { listingQueries } from '../../helpers/workflows/graphs.ts';

const service = useService();
let provider: ScriptedProvider;
let application: string;
beforeAll(async () => {
  provider = await scriptedProvider();
  const model = await applicationOn(service, provider.baseUrl);
  const workflow = await publishedWorkflow(service, listingQueries(model.id));
  application = (await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } })).id;
});
beforeEach(async () => {
  await refillLimits();
  provider.plays(says('ok'));
});
afterAll(() => provider.stop());

/** An answer, also beyond the limits of calls. */
async function say(session: string, content: string): ReturnType<typeof call> {
  const answer = await call(service, 'POST', completionPath(application), {
    body: { messages: [{ role: 'user', content }] },
    headers: { 'x-session-id': session },
  });
  if (answer.status !== 429) return answer;
  await refillLimits();
  return say(session, content);
}
const listOf = ({ json }: { readonly json: unknown }): string[] =>
  JSON.parse((json as { choices: { message: { content: string } }[] }).choices[0]!.message.content) as string[];

it('five messages of one session at once lose no change of a conversation variable', async () => {
  const sent = ['one', 'two', 'three', 'four', 'five'];
  const answers = await Promise.all(sent.map((text) => say('at once', text)));
  expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
  const lists = answers.map(listOf).sort((a, b) => a.length - b.length);
  expect(lists.at(-1)!.toSorted()).toEqual(sent.toSorted());
  // Each one sees the changes of those before it.
  for (const [index, list] of lists.entries()) expect(list).toEqual(lists.at(-1)!.slice(0, index + 1));
  await refillLimits();
  expect(listOf(await say('at once', 'six'))).toEqual([...lists.at(-1)!, 'six']);
});

it('a failed message and one whose client left let the next one continue', async () => {
  // It answers when its client has gone.
  provider.plays(async (_, { aborted }) => aborted, says('ok'));
  const leaving = new AbortController();
  const left = fetch(`${service.baseUrl}${completionPath(application)}`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json', 'x-session-id': 'left' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'leaves' }], stream: true }),
    signal: leaving.signal,
  }).catch(() => null);
  await expect.poll(() => provider.requests.length).toBe(1);
  const next = say('left', 'stays');
  leaving.abort();
  await left;
  expect(listOf(await next)).toEqual(['stays']);

  provider.plays((response) => void response.writeHead(400).end('{}'), says('ok'));
  const [failed, after] = await Promise.all([say('failed', 'fails'), say('failed', 'works')]);
  expect([failed.status, after.status].filter((status) => status === 200)).toHaveLength(1);
  expect(listOf(failed.status === 200 ? failed : after)).toHaveLength(1);
});

it('messages of other sessions do not wait', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  provider.plays(async (response, request) => {
    await held;
    await says('ok')(response, request);
  }, says('ok'));
  const slow = say('slow', 'first');
  await expect.poll(() => provider.requests.length).toBe(1);
  expect(listOf(await say('quick', 'second'))).toEqual(['second']);
  release();
  expect(listOf(await slow)).toEqual(['first']);
});

it('a message beyond ten that wait is a 409 that says what to do', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  provider.plays(async (response, request) => {
    await held;
    await says('ok')(response, request);
  }, says('ok'));
  const first = say('full', 'first');
  await expect.poll(() => provider.requests.length).toBe(1);
  const rest: ReturnType<typeof say>[] = [];
  for (let n = 0; n < 11; n++) {
    await refillLimits();
    rest.push(say('full', `message ${n}`));
  }
  const refused = await Promise.race(rest);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, '5']);
  expect(refused.json).toMatchObject({
    error: { code: 'session_busy' },
    message:
      '10 messages of this session wait for their turn already. Send this one again when they are answered, or use another X-Session-Id for a separate conversation.',
  });
  release();
  const statuses = (await Promise.all([first, ...rest])).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array.from({ length: 11 }, () => 200), 409]);
  await refillLimits();
  expect(listOf(await say('full', 'last'))).toHaveLength(12);
});
