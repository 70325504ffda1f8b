import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import * as z from 'zod';
import { runEvents } from '../../../functions/shared/stream-events.ts';
import { STREAM_EVENT_TYPES } from '../../../functions/workflows/domain/engine/engine-events.ts';
import { runStreamData } from '../../../functions/workflows/event-schemas.ts';
import { HIDDEN_FROM_VISITORS } from '../../../functions/workflows/shown-values.ts';
import { applicationOn, completionPath, createApplication, createToken } from '../../helpers/chat.ts';
import { createBase, indexText } from '../../helpers/knowledge.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { callsTool, fails, type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { type ToolServer, toolServer, WEATHER_API } from '../../helpers/tool-servers.ts';
import { publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
let provider: ScriptedProvider;
let weather: ToolServer;
const workflows: Record<'whole' | 'waiting' | 'failing', string> = { whole: '', waiting: '', failing: '' };

beforeAll(async () => {
  provider = await scriptedProvider();
  weather = await toolServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"celsius":21}');
  });
  const tool = { type: 'http', openapi: WEATHER_API, server: weather.url, operation_id: 'getWeather' };
  const { id: application } = await applicationOn(service, provider.baseUrl, { tools: [tool] });
  const { id: base } = await createBase(service);
  await indexText(service, base, 'Parcels are delivered within two days.', { title: 'Delivery' });
  const body = { parentId: 'each' };
  const start = node('start', 'start');
  const whole = graph(
    [
      start,
      node('search', 'knowledge_search', { query: 'parcels', knowledge_base_ids: [base] }),
      node('each', 'iteration', { items: ['a', 'b'], output: '{{inside.text}}' }),
      node('inside', 'template', { template: 'x' }, body),
      node('again', 'loop', { variables: { left: 2 }, max_passes: 2 }),
      node('set', 'variable_assign', { values: { left: 0 } }, { parentId: 'again' }),
      node('ask', 'agent', { prompt: 'How is it?', application_id: application, tools: ['getWeather'] }),
      node(
        'say',
        'answer',
        { text: '{{ask.text}}', files: ['https://example.com/a.png'] },
        { inputs: { n: '{{again.passes}}' } },
      ),
    ],
    ['start > search', 'start > each', 'start > again', 'search > ask', 'each > ask', 'again > ask', 'ask > say'],
  );
  workflows.whole = await publishedWorkflow(service, whole);
  const wait = node('wait', 'human_input', {
    message: 'Internal: {{$output.sum}}?',
    fields: [{ name: 'sum', type: 'number' }],
    actions: [{ id: 'pay', title: 'Pay out' }],
  });
  workflows.waiting = await publishedWorkflow(
    service,
    graph([start, wait, node('say', 'answer', { text: 'Paid.' })], ['start > wait', 'wait:pay > say']),
  );
  const call = node(
    'call',
    'http_request',
    { url: `${weather.url}/x`, method: 'POST' },
    { retry: { maxAttempts: 2, delayMs: 1 } },
  );
  const broken = { ...call, config: { ...call.config, url: 'http://127.0.0.1:9/' } };
  workflows.failing = await publishedWorkflow(
    service,
    graph([start, broken, node('say', 'answer', { text: 'x' })], ['start > call', 'call > say']),
  );
});
afterAll(() => Promise.all([provider.stop(), weather.stop()]));
beforeEach(async () => {
  await refillLimits();
  provider.plays(fails(503), callsTool('getWeather', '{"city":"Seoul"}'), says('It is', ' 21.'));
});

/** The data of a stream with the names of its events. */
async function framesOf(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, stream: true }),
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  return (await response.text())
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const [, name = null, data = ''] = /^(?:event: (\w+)\n)?data: (.*)$/s.exec(block) ?? [];
      return { name, data: data === '[DONE]' ? data : (JSON.parse(data) as { readonly event?: Event }) };
    });
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string; readonly seq: number };
type Frames = Awaited<ReturnType<typeof framesOf>>;

/** The events of a stream, each of which its schema takes. */
function checkedEvents(frames: Frames): readonly Event[] {
  const events = frames.flatMap(({ name, data }) => {
    if (typeof data === 'string' || !data.event) return [];
    const { event } = data;
    expect(name).toBe(event.type);
    const { error } = runEvents[event.type]!.safeParse(event);
    expect(error && `${event.type}: ${z.prettifyError(error)} ${JSON.stringify(event)}`).toBeUndefined();
    return [event];
  });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  return events;
}

const runFrames = (id: string, headers = {}) =>
  framesOf(`/api/v1/workflows/${id}/run`, {}, { 'x-api-key': service.apiKey, ...headers });
const chatOf = async (id: string) =>
  (await createApplication(service, { type: 'workflow', config: { workflow_id: id } })).id;
const chatFrames = (application: string, headers: Readonly<Record<string, string>>) =>
  framesOf(
    completionPath(application),
    { messages: [{ role: 'user', content: 'Hello' }] },
    { 'x-stream-events': 'named', 'x-stream-wait': '0', ...headers },
  );

it('streams of runs have events of every type, as the schemas describe them, and the same when they are read again', async () => {
  const key = { 'idempotency-key': 'events' };
  const streams = [
    await runFrames(workflows.whole, key),
    await runFrames(workflows.waiting),
    await runFrames(workflows.failing),
  ];
  const again = await runFrames(workflows.whole, key);
  for (const { data } of [...streams, again].flat())
    if (typeof data !== 'string') expect(runStreamData.safeParse(data).error).toBeUndefined();
  const types = streams.flatMap((frames) => [
    ...checkedEvents(frames).map(({ type }) => type),
    ...frames.map(({ name }) => name),
  ]);
  expect(STREAM_EVENT_TYPES.filter((type) => !types.includes(type))).toEqual([]);
  const recorded = (events: readonly Event[]) =>
    events
      .filter(({ type }) => /^(workflow|node|iteration|parallel)_/.test(type))
      .map(({ type, execution_key }) => [type, execution_key]);
  expect(recorded(checkedEvents(again))).toEqual(recorded(checkedEvents(streams[0]!)));
});

it.each(['whole', 'waiting', 'failing'] as const)(
  'events of a chat with the workflow "%s" are as the schemas describe them, for its owner and for visitors',
  async (name) => {
    const application = await chatOf(workflows[name]);
    const own = checkedEvents(await chatFrames(application, { 'x-api-key': service.apiKey }));
    provider.plays(callsTool('getWeather', '{"city":"Seoul"}'), says('It is 21.'));
    const { token } = await createToken(service, application);
    const visible = checkedEvents(await chatFrames(token, {}));
    expect(own.length).toBeGreaterThan(4);
    const shown = visible.flatMap((event) =>
      Object.keys(event).filter((member) => HIDDEN_FROM_VISITORS.includes(member)),
    );
    expect(shown).toEqual([]);
    expect(JSON.stringify(visible)).not.toMatch(/run_0|Internal|\/forms\//);
  },
);

it('messages of a WebSocket have the same events', async () => {
  const application = await chatOf(workflows.whole);
  const socket = new WebSocket(`${service.baseUrl.replace('http', 'ws')}/api/v1/ws?token=${service.apiKey}`);
  await once(socket, 'open');
  const messages: { readonly type: string; readonly data: { readonly event?: Event } }[] = [];
  const done = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      messages.push(message);
      if (message.type === 'done') resolve();
    });
  });
  socket.send(
    JSON.stringify({
      type: 'chat',
      application_id: application,
      body: { messages: [{ role: 'user', content: 'Hello' }] },
    }),
  );
  await done;
  socket.terminate();
  const events = checkedEvents(
    messages.map(({ type, data }) => ({ name: type, data })).filter(({ data }) => data !== null),
  );
  expect(new Set(events.map(({ type }) => type))).toContain('tool_call_finished');
});

const start = node('start', 'start');
const examples = {
  plain: graph(
    [
      node('start', 'start', { fields: [{ name: 'name', type: 'text', default: 'Ada' }] }),
      node('greet', 'template', { template: 'Hello {{ who }}' }, { inputs: { who: '{{start.name}}' } }),
      node('say', 'answer', { text: '{{greet.text}}!' }),
    ],
    ['start > greet', 'greet > say'],
  ),
  approval: graph(
    [start, node('ask', 'approval', { message: 'Pay 50,000 KRW?' }), node('say', 'answer', { text: 'Paid.' })],
    ['start > ask', 'ask:approved > say'],
  ),
  failure: {
    ...graph(
      [start, node('share', 'assigner', { items: [{ variable: 'conversation.sum', operation: 'divide', value: 0 }] })],
      ['start > share'],
    ),
    conversation: [{ name: 'sum', type: 'number', initial: 1, description: '' }],
  },
} as const;

/** A line for each event and each piece of the answer, without values that differ from run to run. */
function linesOf(frames: Frames): string {
  const lines = frames.flatMap(({ name, data }) => {
    if (typeof data === 'string') return [data];
    const { event, choices } = data as {
      readonly event?: Event;
      readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
    };
    const text = choices?.[0]?.delta.content;
    if (!event)
      return name === 'error' ? [`error ${JSON.stringify(data)}`] : text ? [`text ${JSON.stringify(text)}`] : [];
    const { type, run_id, session_id, ts, ...payload } = event;
    return [`${type} ${JSON.stringify(payload)}`];
  });
  return `${lines.join('\n')}\n`
    .replaceAll(/"elapsed_ms":\d+/g, '"elapsed_ms":12')
    .replaceAll(/"application_id":"[^"]+"/g, '"application_id":"…"')
    .replaceAll(/"expires_at":"[^"]+"/g, '"expires_at":"2026-12-01T09:00:00.000Z"')
    .replaceAll(/"url":"[^"]+"/g, '"url":"https://…/api/v1/forms/…"');
}

const exampleFile = (name: string) =>
  new URL(`../../../bin/documents/workflow-events/${name}.txt`, import.meta.url).pathname;

it.each(Object.entries(examples))(
  'the example stream "%s" of docs/workflows/events.md is that of a run',
  async (name, each) => {
    const frames = await runFrames(await publishedWorkflow(service, each));
    checkedEvents(frames);
    await expect(linesOf(frames)).toMatchFileSnapshot(exampleFile(name));
  },
);

it('the example stream "tools" of docs/workflows/events.md is that of a run', async () => {
  const tool = { type: 'http', openapi: WEATHER_API, server: weather.url, operation_id: 'getWeather' };
  const { id } = await applicationOn(service, provider.baseUrl, { tools: [tool] });
  const agent = node('ask', 'agent', { prompt: 'How is it?', application_id: id, tools: ['getWeather'] });
  const workflow = await publishedWorkflow(
    service,
    graph([start, agent, node('say', 'answer', { text: '{{ask.text}}' })], ['start > ask', 'ask > say']),
  );
  provider.plays(callsTool('getWeather', '{"city":"Seoul"}'), says('It is', ' 21.'));
  const frames = await runFrames(workflow);
  checkedEvents(frames);
  await expect(linesOf(frames)).toMatchFileSnapshot(exampleFile('tools'));
});
