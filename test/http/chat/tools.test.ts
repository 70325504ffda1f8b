import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import {
  applicationOf,
  applicationOn,
  applicationPath,
  changeCall,
  chatRefusalOf,
  complete,
  completionOf,
  contentOf,
  createToken,
  refusalOf,
  type ShownApplication,
  sendStream,
  stream,
} from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { shortPage } from '../../helpers/page-images.ts';
import {
  callsTool,
  events,
  type Script,
  type ScriptedProvider,
  says,
  scriptedProvider,
  USAGE,
  upstreamChunk,
} from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { mcpServer, type ToolServer, toolServer, WEATHER_API } from '../../helpers/tool-servers.ts';
import { tracesOf } from '../../helpers/workspace.ts';

const SECRET = 'secret-of-the-weather-server';
const service = useService();

let provider: ScriptedProvider;
let weather: ToolServer;
let mcp: ToolServer;
beforeAll(async () => {
  provider = await scriptedProvider();
  weather = await toolServer(async ({ url, headers }, response) => {
    const { pathname } = new URL(url);
    if (pathname === '/hang') return;
    if (pathname === '/redirect') return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    response.writeHead(pathname.includes('Atlantis') ? 404 : 200, { 'content-type': 'application/json' });
    if (pathname === '/flood') for (let i = 0; i < 50 && response.writable; i++) response.write('x'.repeat(1_000_000));
    response.end(JSON.stringify({ celsius: 21, sent: headers.get('x-key') }));
  });
  mcp = await mcpServer();
});
afterAll(() => Promise.all([provider.stop(), weather.stop(), mcp.stop()]));
beforeEach(async () => {
  await refillLimits();
  weather.requests.length = 0;
});

const httpTool = (operation_id: string, more: object = {}) => ({
  ...{ type: 'http', openapi: WEATHER_API, server: weather.url, operation_id, headers: { 'X-Key': SECRET } },
  ...more,
});
const withTools = (...tools: readonly object[]): Promise<ShownApplication> =>
  applicationOn(service, provider.baseUrl, { tools });

/** The tool results of the step before, as the model gets them. */
const toolMessages = (request: number) =>
  provider.requests[request]!.body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));

/** The result of one call of a tool of the application. */
async function resultOf(id: string, name: string, args: object, body: object = {}): Promise<string> {
  provider.plays(callsTool(name, JSON.stringify(args)), says('done'));
  expect(contentOf(await complete(service, id, body))).toBe('done');
  return toolMessages(1)[0]!;
}

const callsTools = (...calls: readonly (readonly [name: string, args: object])[]): Script =>
  events(
    upstreamChunk({
      role: 'assistant',
      content: null,
      tool_calls: calls.map(([name, args], index) => ({
        ...{ index, id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
      })),
    }),
    upstreamChunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  );

describe('tools in a configuration', () => {
  it('are shown with their operation and the names of their headers, and stay when they are sent again without secrets', async () => {
    const { id, config } = await withTools(
      httpTool('getWeather'),
      { type: 'mcp', name: 'calc', server: mcp.url },
      { type: 'code_interpreter' },
      { type: 'read_drug_table', name: 'read_sheet' },
    );
    expect(config.tools).toEqual([
      {
        ...{ type: 'http', name: 'getWeather', description: 'The weather of a city', operation_id: 'getWeather' },
        ...{ method: 'GET', path: '/cities/{city}/weather', server: weather.url, headers: ['X-Key'] },
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, description: 'Days ahead' } },
          required: ['city'],
        },
      },
      { type: 'mcp', name: 'calc', server: mcp.url, allowed_tools: null, headers: [] },
      { type: 'code_interpreter', name: 'code_interpreter' },
      { type: 'read_drug_table', name: 'read_sheet' },
    ]);
    const tools = [{ type: 'http', name: 'weather', operation_id: 'getWeather' }];
    const changed = applicationOf(await changeCall(service, id, { config: { tools } }));
    expect(changed.config.tools).toMatchObject([
      { name: 'weather', path: '/cities/{city}/weather', headers: ['X-Key'] },
    ]);
    expect(JSON.stringify(changed)).not.toContain(SECRET);
    await resultOf(id, 'weather', { city: 'Seoul' });
    expect(weather.requests[0]!.headers).toMatchObject({ 'x-key': SECRET });
    // Elsewhere they do not go.
    const elsewhere = { type: 'http', operation_id: 'getWeather', openapi: WEATHER_API, server: mcp.url };
    const moved = applicationOf(await changeCall(service, id, { config: { tools: [elsewhere] } }));
    expect(moved.config.tools).toMatchObject([{ headers: [] }]);
  });

  it.each([
    [422, [{ type: 'http', operation_id: 'none', openapi: WEATHER_API, server: 'https://a.example' }], /no operation/],
    [422, [{ type: 'http', operation_id: 'getWeather', openapi: { swagger: '2.0' } }], /not an OpenAPI document/],
    [422, [{ type: 'http', operation_id: 'getWeather' }], /tools.0.openapi is needed/],
    [422, [{ type: 'http', operation_id: 'getWeather', openapi: WEATHER_API }], /names no server/],
    [422, [{ type: 'mcp', name: 'm', server: 'http://10.0.0.1/mcp' }], /tools.0.server must start with https/],
    [422, [{ type: 'mcp', name: 'm', server: 'https://169.254.169.254/mcp' }], /not on the public internet/],
    [422, [{ type: 'code_interpreter' }, { type: 'code_interpreter' }], /name of another tool/],
    [422, [{ type: 'shell' }], /type/],
    [400, [{ type: 'code_interpreter', unknown: 1 }], /unknown/],
  ])('%d for %j', async (status, tools, message) => {
    const { id } = await applicationOn(service, provider.baseUrl);
    const [answered, text] = refusalOf(await changeCall(service, id, { config: { tools } }));
    expect(text).toMatch(message);
    expect(answered).toBe(status);
  });
});

describe('a tool that the model calls', () => {
  it('runs on our side; its result goes to the model, and the usage of all steps is summed', async () => {
    const { id } = await withTools(httpTool('getWeather'));
    provider.plays(callsTool('getWeather', '{"city":"서울/강남","days":3}'), says('21 °C'));
    const completion = completionOf(await complete(service, id, {}));
    expect(completion.choices[0]).toMatchObject({ message: { content: '21 °C' }, finish_reason: 'stop' });
    expect(completion.choices[0]!.message).not.toHaveProperty('tool_calls');
    expect(completion.usage).toMatchObject({
      prompt_tokens: USAGE.prompt_tokens * 2,
      total_tokens: USAGE.total_tokens * 2,
    });
    expect(weather.requests).toMatchObject([
      { method: 'GET', url: `/cities/${encodeURIComponent('서울/강남')}/weather?days=3` },
    ]);
    expect(provider.requests[0]!.body.tools).toMatchObject([{ type: 'function', function: { name: 'getWeather' } }]);
    // The secret is masked where the server repeats it.
    expect(toolMessages(1)).toEqual(['{"celsius":21,"sent":"…"}']);
  });

  it('is seen in the stream, in events that clients do not stumble over', async () => {
    const { id } = await withTools(httpTool('getWeather'));
    provider.plays(callsTool('getWeather', '{"city":"Seoul"}'), says('21 °C'));
    const streamed = await stream(service, id, {}, { headers: { 'x-stream-events': 'named' } });
    const shown = streamed.chunks.flatMap(({ event }) => (event ? [event] : []));
    expect(shown.map(({ type }) => type)).toEqual([
      'tool_call_started',
      ...Array(4).fill('tool_call_delta'),
      ...['agent_thought', 'tool_call_finished', 'message_end'],
    ]);
    expect(shown.find(({ type }) => type === 'tool_call_finished')).toMatchObject({
      ...{ call_id: 'call_1', name: 'getWeather', arguments: '{"city":"Seoul"}', status: 'succeeded' },
      result: '{"celsius":21,"sent":"…"}',
    });
    expect(streamed.chunks.every(({ choices }) => choices[0]?.delta.tool_calls === undefined)).toBe(true);
    expect(streamed.text).toBe('21 °C');

    const { token } = await createToken(service, id);
    provider.plays(callsTool('getWeather', '{"city":"Seoul"}'), says('21 °C'));
    const visited = await stream(service, token, {}, { key: null, headers: { 'x-stream-events': 'named' } });
    expect(JSON.stringify(visited.chunks)).not.toContain('celsius');
  });

  it.each([
    ['getWeather', { city: 'Atlantis' }, /\(refused\): The server answered with status 404/],
    ['getWeather', {}, /\(invalid_arguments\): city is missing/],
    ['getWeather', { city: '..' }, /\(invalid_arguments\): city must not be/],
    ['report', { city: 'Seoul' }, /\(invalid_arguments\): body is missing/],
    ['redirect', {}, /\(unavailable\): The server of redirect/],
    ['nothing', {}, /\(unknown_tool\): Tool not found. The tools are: getWeather/],
  ])('and fails passes the failure to the model: %s %j', async (name, args, told) => {
    const { id } = await withTools(httpTool('getWeather'), httpTool('report'), httpTool('redirect'));
    expect(await resultOf(id, name, args)).toMatch(told);
  });

  it('and whose arguments are not JSON passes the fault to the model', async () => {
    const { id } = await withTools(httpTool('getWeather'));
    provider.plays(callsTool('getWeather', '{"city":'), says('done'));
    await complete(service, id, {});
    expect(toolMessages(1)[0]).toMatch(/not valid JSON/);
  });

  it('and that returns 50 MB is cut, with a note to the model', async () => {
    const { id } = await withTools(httpTool('flood'), { type: 'mcp', name: 'calc', server: mcp.url });
    const told = await resultOf(id, 'flood', {});
    expect(told.length).toBeLessThan(45_000);
    expect(told).toMatch(/x\n\[The result is longer; the rest is left out\.\]$/);
    expect(await resultOf(id, 'calc_flood', {})).toMatch(/answer is larger than/);
  });

  it('several tools called at once run in parallel; those of the client are returned to it', async () => {
    const { id } = await withTools(httpTool('getWeather'));
    const tools = [{ type: 'function', function: { name: 'ask_user', parameters: { type: 'object' } } }];
    provider.plays(callsTools(['getWeather', { city: 'A' }], ['ask_user', { q: 1 }], ['getWeather', { city: 'B' }]));
    const headers = { 'x-session-id': 'mixed' };
    const [choice] = completionOf(await complete(service, id, { tools }, { headers })).choices;
    expect(choice).toMatchObject({
      message: { content: null, tool_calls: [{ id: 'c1', function: { name: 'ask_user', arguments: '{"q":1}' } }] },
      finish_reason: 'tool_calls',
    });
    expect(weather.requests.map(({ url }) => url).sort()).toEqual(['/cities/A/weather', '/cities/B/weather']);

    provider.plays(says('thanks'));
    const messages = [{ role: 'tool', tool_call_id: 'c1', content: 'yes' }];
    await complete(service, id, { tools, messages }, { headers });
    expect(provider.requests[0]!.body.messages.map(({ role, tool_call_id }) => tool_call_id ?? role)).toEqual([
      ...['user', 'assistant', 'c0', 'c2', 'assistant', 'c1'],
    ]);
    const taken = { tools: [{ type: 'function', function: { name: 'getWeather' } }] };
    expect(chatRefusalOf(await complete(service, id, taken))).toMatchObject({ status: 400 });
  });

  it('is called ten times at most, and forced once', async () => {
    const { id } = await withTools(httpTool('getWeather'));
    provider.plays(callsTool('getWeather', '{"city":"A"}'));
    const answer = await complete(service, id, { tool_choice: 'required' });
    expect(chatRefusalOf(answer)).toMatchObject({ status: 502, code: 'tool_error' });
    expect(provider.requests).toHaveLength(10);
    expect(provider.requests.map(({ body }) => body.tool_choice)).toEqual([
      'required',
      ...Array(8).fill(undefined),
      'none',
    ]);
    const ids = provider.requests.at(-1)!.body.messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    expect(new Set(ids).size).toBe(9);
  });

  it('is kept with its result in the session, and shown to those who run the application', async () => {
    const { id } = await withTools(httpTool('getWeather'));
    const headers = { 'x-session-id': 's', 'idempotency-key': 'once' };
    provider.plays(callsTool('getWeather', '{"city":"A"}'), says('first'));
    await complete(service, id, {}, { headers });
    expect(contentOf(await complete(service, id, {}, { headers }))).toBe('first');
    expect(provider.requests).toHaveLength(2);
    provider.plays(says('second'));
    await complete(service, id, {}, { headers: { 'x-session-id': 's' } });
    const roles = provider.requests[0]!.body.messages.map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    const path = `${applicationPath(id)}/conversations`;
    const { json } = await call(service, 'GET', path);
    const [{ id: conversation }] = (json as { data: { conversations: [{ id: string }] } }).data.conversations;
    const shown = await call(service, 'GET', `${path}/${conversation}/messages`);
    expect((shown.json as { data: { messages: object[] } }).data.messages.slice(0, 4)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'first' },
    ]);
  });

  it('is ended when the client goes away', async () => {
    const { id } = await withTools(httpTool('hang'));
    provider.plays(callsTool('hang', '{}'), says('never'));
    const client = new AbortController();
    const response = await sendStream(service, id, {}, { headers: { 'x-stream-events': 'data' } }, client.signal);
    for await (const chunk of response.body!) if (Buffer.from(chunk).includes('agent_thought')) break;
    await expect.poll(() => weather.requests.length).toBe(1);
    client.abort();
    await complete(service, id, { messages: [] });
    expect(provider.requests).toHaveLength(1);
  });
});

describe('an MCP server', () => {
  it('lends its tools under its name, by the official client and server', async () => {
    mcp.requests.length = 0;
    const { id } = await withTools({ type: 'mcp', name: 'calc', server: mcp.url, headers: { 'X-Key': SECRET } });
    expect(await resultOf(id, 'calc_add', { a: 2, b: 3 })).toBe('5');
    expect(provider.requests[0]!.body.tools).toMatchObject([
      { function: { name: 'calc_add', description: 'Adds two numbers' } },
      { function: { name: 'calc_fail' } },
      { function: { name: 'calc_flood' } },
    ]);
    expect(mcp.requests.every(({ headers }) => headers['x-key'] === SECRET)).toBe(true);
    expect(await resultOf(id, 'calc_fail', {})).toMatch(/no such thing/);
    expect(await resultOf(id, 'calc_add', { a: 'two' })).toMatch(/failed/);
  });

  it('whose tools cannot be had is an error, and no answer without them', async () => {
    const asked = weather.requests.length;
    const { id } = await withTools({ type: 'mcp', name: 'gone', server: `${weather.url}/redirect` });
    provider.plays(says('never'));
    const refused = chatRefusalOf(await complete(service, id, {}));
    expect(refused).toMatchObject({ status: 502, code: 'tool_error', message: expect.stringContaining('gone') });
    expect(weather.requests.length).toBeGreaterThan(asked);
    expect(provider.requests).toHaveLength(0);
  });
});

describe('the platform’s own tools', () => {
  it('run programs in the sandbox', async () => {
    const { id } = await withTools({ type: 'code_interpreter' });
    expect(await resultOf(id, 'code_interpreter', { code: 'print(6 * 7)' })).toBe('exit code: 0\nstdout:\n42\n');
    const failed = await resultOf(id, 'code_interpreter', { language: 'javascript', code: 'throw new Error("no")' });
    expect(failed).toMatch(/^exit code: 1\nstderr:[\s\S]*Error: no/);
    expect(await resultOf(id, 'code_interpreter', { language: 'cobol', code: '' })).toMatch(
      /Unsupported language: cobol/,
    );
  });

  it('give programs the files of the conversation, and return what they leave by address', async () => {
    const { id } = await withTools({ type: 'code_interpreter' });
    const file = { file_data: `data:text/csv;base64,${btoa('a,b\n1,2\n')}`, filename: '../약가.csv' };
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'add it up' },
          { type: 'file', file },
          { type: 'file', file },
        ],
      },
    ];
    const code = `
import os
print(sorted(name for name in os.listdir(".") if name.endswith(".csv")))
open("out/chart.png", "wb").write(open(".._약가.csv", "rb").read())`;
    const text = await resultOf(id, 'code_interpreter', { code }, { messages });
    expect(text).toContain("['.._약가.csv', '2-.._약가.csv']");
    const [, url = ''] = /^chart\.png \(image\/png, 8 bytes\): (http\S+)$/m.exec(text) ?? [];
    expect(await (await fetch(url)).text()).toBe('a,b\n1,2\n');
  });

  it('read a drug table of an image of the conversation, charged once for a request', async () => {
    const { id } = await withTools({ type: 'read_drug_table' });
    const url = `data:image/png;base64,${(await shortPage()).toString('base64')}`;
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    const before = await tracesOf(service.workspaceId);
    const reading = JSON.parse(await resultOf(id, 'read_drug_table', {}, { messages })) as {
      items: { drugCode: string }[];
    };
    expect(reading.items.map(({ drugCode }) => drugCode)).toEqual(['640007270', '641908100', '643308820']);
    provider.plays(callsTools(['read_drug_table', { image: 1 }], ['read_drug_table', {}]), says('done'));
    await complete(service, id, { messages }, { headers: { 'idempotency-key': 'k' } });
    const again = toolMessages(1).filter((text) => text.includes('640007270'));
    expect(again).toHaveLength(2);
    const { extractions } = await tracesOf(service.workspaceId);
    expect(extractions.length - before.extractions.length).toBe(2);
    expect(await resultOf(id, 'read_drug_table', {})).toMatch(/The conversation has no image/);
  });

  it("judge what they read by the workspace's own drug list", async () => {
    const { id } = await withTools({ type: 'read_drug_table' });
    const url = `data:image/png;base64,${(await shortPage()).toString('base64')}`;
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    const file = Buffer.from('code,name,price,from\n640007270,하우스정,1,2025-01-01\n').toString('base64');
    const ownList = { key: service.apiKey, body: { file } };
    expect((await call(service, 'PUT', '/api/v1/drug-master/own', ownList)).status).toBe(200);
    try {
      const told = await resultOf(id, 'read_drug_table', {}, { messages });
      expect(told).toMatch(/^\{/);
      const { items } = JSON.parse(told) as {
        items: { drugCode: string; status: string; review: string[] }[];
      };
      const [housed, ...others] = items;
      expect(housed).toMatchObject({ drugCode: '640007270', status: 'RED' });
      expect(housed!.review.join()).toMatch(/own_list: /);
      for (const { review } of others) expect(review.join()).not.toMatch(/own_list/);
    } finally {
      await call(service, 'DELETE', '/api/v1/drug-master/own', { key: service.apiKey });
    }
  });
});
