import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applicationOn } from '../../helpers/chat.ts';
import {
  breaksOff,
  callsTool,
  type ScriptedProvider,
  says,
  scriptedProvider,
  USAGE,
} from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { type ToolServer, toolServer, WEATHER_API } from '../../helpers/tool-servers.ts';
import { publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node as graphNode } from '../../helpers/workflows/graphs.ts';

const SECRET = 'the secret of the weather';
const service = useService();
let provider: ScriptedProvider;
let weather: ToolServer;
let application: string;

beforeAll(async () => {
  provider = await scriptedProvider();
  weather = await toolServer(({ url }, response) => {
    const isThere = !url.includes('Atlantis');
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isThere ? { celsius: 21 } : { error: 'no such city' }));
  });
  const tool = { type: 'http', openapi: WEATHER_API, server: weather.url, operation_id: 'getWeather' };
  const tools = [{ ...tool, headers: { 'X-Key': SECRET } }];
  application = (await applicationOn(service, provider.baseUrl, { tools })).id;
});
afterAll(() => Promise.all([provider.stop(), weather.stop()]));
beforeEach(() => {
  weather.requests.length = 0;
});

async function runNode(type: 'tool' | 'agent', config: object) {
  const one = graphNode('one', type, { application_id: application, ...config } as never);
  const id = await publishedWorkflow(service, graph([graphNode('start', 'start'), one], ['start > one']));
  const run = (await runWorkflow(service, id)).json.data;
  const { outputs, usage } = run.nodes.find((each) => each.execution_key === 'one')!;
  return { ...run, one: { outputs, usage } };
}

describe('a tool node', () => {
  it('calls a tool of an application, with its secret, and gives out the result', async () => {
    const run = await runNode('tool', { tool: 'getWeather', arguments: { city: 'Seoul' } });
    expect(run.failure).toBeNull();
    expect(run.one.outputs).toEqual({ text: '{"celsius":21}', result: { celsius: 21 } });
    expect(weather.requests).toMatchObject([{ url: '/cities/Seoul/weather', headers: { 'x-key': SECRET } }]);
    expect(JSON.stringify(run)).not.toContain(SECRET);
  });

  it.each([
    ['a tool that refuses', { tool: 'getWeather', arguments: { city: 'Atlantis' } }, 'tool_error', /getWeather failed/],
    ['arguments that do not fit', { tool: 'getWeather', arguments: {} }, 'tool_error', /city/],
    ['a tool that is not there', { tool: 'getTides' }, 'unknown_tool', /no tool getTides; it has getWeather/],
  ])('fails with %s, and says why', async (_, config, code, message) => {
    const { failure } = await runNode('tool', config);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message), node_id: 'one' });
  });
});

describe('an agent', () => {
  it('has the tools that its node names, and counts what all its questions cost', async () => {
    provider.plays(callsTool('getWeather', '{"city":"Seoul"}'), says('It is 21 degrees.'));
    const run = await runNode('agent', { prompt: 'How is the weather?', tools: ['getWeather'] });
    expect(run.failure).toBeNull();
    expect(run.one.outputs).toMatchObject({ text: 'It is 21 degrees.', finish_reason: 'stop' });
    expect(run.one.usage).toMatchObject({ prompt_tokens: 2 * USAGE.prompt_tokens });
    expect(weather.requests).toHaveLength(1);
    const told = provider.requests.at(-1)!.body.messages.at(-1);
    expect(told).toMatchObject({ role: 'tool', content: '{"celsius":21}' });
  });

  it('whose model breaks off fails its node, and what had come is counted', async () => {
    provider.plays(breaksOff('It is', ' warm'));
    const { failure, one, usage } = await runNode('agent', { prompt: 'How is the weather?' });
    expect(failure).toMatchObject({ code: 'provider_error', node_id: 'one' });
    expect(one.usage!.completion_tokens).toBeGreaterThan(0);
    expect(usage.total_tokens).toBe(one.usage!.total_tokens);
  });

  it('has none that it does not name', async () => {
    provider.plays(says('I cannot know.'));
    await runNode('agent', { prompt: 'How is the weather?' });
    expect(provider.requests.at(-1)!.body).not.toHaveProperty('tools');
  });

  it('is asked at most as often as its node says', async () => {
    provider.plays(callsTool('getWeather', '{"city":"Seoul"}'), says('Enough.'));
    const run = await runNode('agent', { prompt: 'How is the weather?', tools: ['getWeather'], max_rounds: 2 });
    expect(run.one.outputs).toMatchObject({ text: 'Enough.' });
    expect(provider.requests.at(-1)!.body).toMatchObject({ tool_choice: 'none' });
  });

  it('with the strategy react calls tools in writing, is sent their results, and answers', async () => {
    provider.plays(
      says('Thought: I do not', ' know the weather.\nAction: {"tool": "getWeather",', ' "input": {"city": "Seoul"}}'),
      says('Thought: It is warm.\nFinal', ' Answer: It is ', '21 degrees.'),
    );
    const run = await runNode('agent', { prompt: 'How is the weather?', tools: ['getWeather'], strategy: 'react' });
    expect(run.failure).toBeNull();
    expect(run.one.outputs).toMatchObject({ text: 'It is 21 degrees.', finish_reason: 'stop' });
    expect(run.one.usage).toMatchObject({ prompt_tokens: 2 * USAGE.prompt_tokens });
    expect(weather.requests).toMatchObject([{ url: '/cities/Seoul/weather' }]);
    const [first, second] = provider.requests.map(({ body }) => body);
    expect(first).not.toHaveProperty('tools');
    expect(first).toMatchObject({ stop: ['Observation:'] });
    expect(first!.messages[0]!.content).toContain('"getWeather"');
    expect(second!.messages.slice(-2)).toEqual([
      {
        role: 'assistant',
        content: expect.stringContaining('Action: {"tool": "getWeather", "input": {"city":"Seoul"}}'),
      },
      { role: 'user', content: 'Observation: {"celsius":21}' },
    ]);
  });

  it('with the strategy react takes a text without any form as the answer, and names no tool that is not there', async () => {
    provider.plays(says('I think it is warm.'));
    const config = { prompt: 'How is the weather?', tools: ['getWeather'], strategy: 'react' };
    expect((await runNode('agent', config)).one.outputs).toMatchObject({ text: 'I think it is warm.' });
    provider.plays(says('Action: {"action": "getTides", "action_input": {}}'), says('Final Answer: I cannot know.'));
    expect((await runNode('agent', config)).one.outputs).toMatchObject({ text: 'I cannot know.' });
    expect(provider.requests.at(-1)!.body.messages.at(-1)!.content).toMatch(
      /^Observation: .*The tools are: getWeather/,
    );
  });
});
