import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applicationOn, complete, contentOf, createToken, PROVIDER_KEY, stream } from '../helpers/chat.ts';
import { callsTool, fails, type ScriptedProvider, says, scriptedProvider } from '../helpers/scripted-provider.ts';
import { type ServiceProcess, startServiceProcess } from '../helpers/service.ts';
import { mcpServer, type ToolServer, toolServer, WEATHER_API } from '../helpers/tool-servers.ts';

let service: ServiceProcess;
let provider: ScriptedProvider;
let weather: ToolServer;
let mcp: ToolServer;
beforeAll(async () => {
  [service, provider, mcp, weather] = await Promise.all([
    startServiceProcess({ env: { DEBUG: '1', LOG_LEVEL: 'DEBUG' } }),
    scriptedProvider(),
    mcpServer(),
    toolServer(({ headers }, response) => void response.writeHead(500).end(JSON.stringify([...headers]))),
  ]);
});
afterAll(() => Promise.all([service?.stop(), provider?.stop(), mcp?.stop(), weather?.stop()]));

it('a person talks with an application in the terminal', async () => {
  const { name } = await applicationOn(service, provider.baseUrl, { tools: [{ type: 'code_interpreter' }] });
  provider.plays(says('Hello ', 'you'), callsTool('code_interpreter', '{"code":"print(1)"}'), says('It is 1.'));
  const { PATH } = process.env;
  const terminal = spawn(process.execPath, ['bin/chat.ts', name], {
    env: { ...(PATH && { PATH }), TRIPOD_DATA_DIR: service.dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said: Buffer[] = [];
  terminal.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  terminal.stdin.end('Hi\nWhat is 1?\n');
  expect((await once(terminal, 'close'))[0]).toBe(0);
  expect(Buffer.concat(said).toString()).toBe('> Hello you\n> [code_interpreter … succeeded]\nIt is 1.\n> ');
  expect(provider.requests.at(-1)!.body.messages.map(({ content }) => content)).toContain('Hello you');
});

it('the interactive documentation is served, from this service alone', async () => {
  const page = await fetch(`${service.baseUrl}/docs`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const html = await page.text();
  expect(html).not.toMatch(/https?:/);
  for (const [, path = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const file = await fetch(service.baseUrl + path);
    expect([path, file.status, (await file.text()).length > 100]).toEqual([path, 200, path !== '']);
  }
  expect((await fetch(`${service.baseUrl}/docs/../package.json`)).status).toBe(404);
});

it('no secret is in the log of a busy service', async () => {
  const headers = { authorization: 'Bearer secret-of-the-weather', 'x-mcp': 'secret-of-the-mcp-server' };
  const tools = [
    { type: 'http', openapi: WEATHER_API, server: weather.url, operation_id: 'getWeather', headers },
    { type: 'mcp', name: 'calc', server: mcp.url, headers },
  ];
  const { id } = await applicationOn(service, provider.baseUrl, { tools });
  const { token } = await createToken(service, id);
  provider.plays(callsTool('getWeather', '{"city":"A"}'), callsTool('calc_add', '{"a":1,"b":1}'), says('done'));
  expect(contentOf(await complete(service, id, {}))).toBe('done');
  provider.plays(says('public'));
  expect((await stream(service, token, {}, { key: null })).text).toBe('public');
  for (const status of [401, 500, 400]) {
    provider.plays(fails(status, { message: `You sent ${PROVIDER_KEY}` }));
    await complete(service, token, { messages: [{ role: 'user', content: 'my-own-words' }] }, { key: null });
  }
  await fetch(`${service.baseUrl}/api/v1/applications`, { headers: { 'x-api-key': `${service.apiKey}x` } });
  const log = service.output();
  expect(log).toContain('chat.complete-chat');
  const secrets = [
    PROVIDER_KEY,
    service.apiKey,
    token,
    'secret-of-the-weather',
    'secret-of-the-mcp-server',
    'my-own-words',
  ];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});
