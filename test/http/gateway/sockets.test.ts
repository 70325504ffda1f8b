import { setTimeout as sleep } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { answerMessageWorker } from '../../../functions/chat/workers.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { loadHandler } from '../../../gateway/handler-modules.ts';
import { lambdaContext } from '../../../gateway/lambda-context.ts';
import { applicationOn, createToken, type ShownApplication } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { hangs, type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useOwnService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

vi.stubEnv('USER_LIMIT_PER_MINUTE', '600');
// As on AWS: one machine logs warnings alone.
vi.stubEnv('LOG_LEVEL', 'INFO');
const service = useOwnService();

let provider: ScriptedProvider;
let owner: TestWorkspace;
let application: ShownApplication;
beforeAll(async () => {
  provider = await scriptedProvider();
  owner = await createWorkspace();
  application = await applicationOn({ ...service, apiKey: owner.apiKey }, provider.baseUrl);
});
afterAll(() => provider.stop());

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

interface Received {
  readonly type: string;
  readonly id?: string;
  readonly data: {
    readonly code?: string;
    readonly choices?: [{ readonly delta: { readonly content?: string } }];
  } | null;
}

async function connect(token: string, options: object = {}) {
  const socket = new WebSocket(`${service.baseUrl.replace('http', 'ws')}/api/v1/ws?token=${token}`, options);
  opened.push(socket);
  const messages: Received[] = [];
  const sizes: number[] = [];
  let closedWith: number | null = null;
  socket.on('message', (data: Buffer) => {
    sizes.push(data.length);
    messages.push(JSON.parse(String(data)));
  });
  socket.on('close', (code) => {
    closedWith = code;
  });
  await new Promise((open, refused) => {
    socket.once('open', open);
    socket.once('unexpected-response', (_, response) => refused(new Error(`status ${response.statusCode}`)));
    socket.once('error', refused);
  });
  const body = { messages: [{ role: 'user', content: 'Hello' }] };
  return {
    ...{ socket, messages, sizes },
    closedWith: () => closedWith,
    send: (message: object | string) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    chat: (more: object = {}) =>
      socket.send(JSON.stringify({ type: 'chat', application_id: application.id, body, ...more })),
    ends: () =>
      expect
        .poll(() => messages.findLast(({ type }) => type === 'done' || type === 'error')?.type, { timeout: 30_000 })
        .toBeDefined(),
  };
}

describe('a client that sends without a pause', () => {
  it.each([
    ['pings', { type: 'ping', id: 'p' }],
    ['invalid messages', '{'],
    ['questions', { type: 'chat', id: 'p', application_id: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b', body: {} }],
  ])('is refused, and then loses its connection: %s', async (_, message) => {
    const greedy = await createWorkspace();
    const client = await connect(greedy.apiKey);
    const other = await connect(owner.apiKey);
    for (let n = 0; n < 400 && client.closedWith() === null; n++) {
      client.send(message);
      if (n % 20 === 0) await sleep(1);
    }
    await expect.poll(client.closedWith, { timeout: 60_000 }).toBe(1008);
    const refused = client.messages.filter(({ data }) => data?.code === 'rate_limited');
    expect(refused.length).toBeGreaterThan(0);
    other.send({ type: 'ping', id: 'other' });
    await expect.poll(() => other.messages, { timeout: 30_000 }).toEqual([{ type: 'pong', id: 'other', data: null }]);
  });
});

describe('connections', () => {
  it('of a caller are bounded, and one that is closed makes room', async () => {
    const { apiKey } = await createWorkspace();
    const open = [];
    for (let n = 0; n < 100; n++) {
      if (n % 10 === 0) await refillLimits();
      open.push(await connect(apiKey));
    }
    await refillLimits();
    await expect(connect(apiKey)).rejects.toThrow('status 429');
    await connect(owner.apiKey);
    open[0]!.socket.close();
    await expect.poll(() => connect(apiKey).then(() => 'open', String), { timeout: 20_000 }).toBe('open');
  });

  it('of a visitor are bounded, and other visitors of the token have theirs', async () => {
    const { token } = await createToken({ ...service, apiKey: owner.apiKey }, application.id);
    for (let n = 0; n < 10; n++) await connect(token, { localAddress: '127.0.0.2' });
    await expect(connect(token, { localAddress: '127.0.0.2' })).rejects.toThrow('status 429');
    await connect(token, { localAddress: '127.0.0.3' });
  });
});

describe('a message', () => {
  it('of more than 32 KiB ends the connection, as API Gateway does', async () => {
    const client = await connect(owner.apiKey);
    client.send({ type: 'ping', id: 'x'.repeat(33 * 1024) });
    await expect.poll(client.closedWith).toBe(1009);
  });

  it('of a long answer comes in pieces of at most 128 KiB', async () => {
    const text = '가나다 "😀"'.repeat(30_000);
    provider.plays(says(text));
    const client = await connect(owner.apiKey);
    client.chat();
    await client.ends();
    expect(client.messages.at(-1)!.type).toBe('done');
    expect(client.messages.map(({ data }) => data?.choices?.[0]?.delta.content ?? '').join('')).toBe(text);
    expect(Math.max(...client.sizes)).toBeLessThanOrEqual(128 * 1024);
  });

  it('is answered once, however often Lambda runs its function', async () => {
    provider.plays(says('Hello'));
    const client = await connect((await createWorkspace()).apiKey);
    const { CONVERSATIONS_TABLE } = environment('CONVERSATIONS_TABLE');
    const { Items = [] } = await dynamoClient().send(new ScanCommand({ TableName: CONVERSATIONS_TABLE }));
    const connectionIds = Items.filter(({ sk }) => sk === 'SOCKET').map(({ connectionId }) => String(connectionId));
    const handler = await loadHandler(answerMessageWorker);
    const body = { messages: [{ role: 'user', content: 'Hi' }] };
    const message = { type: 'chat', application_id: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b', body, events: 'none' };
    for (const connectionId of connectionIds)
      for (let n = 0; n < 3; n++) {
        const event = {
          connectionId,
          requestId: `twice ${connectionId}`,
          endpoint: { apiId: 'local', stage: 'local' },
          message,
        };
        await handler(event, lambdaContext(answerMessageWorker, 'r', Date.now() + 60_000));
      }
    await client.ends();
    expect(client.messages.map(({ data }) => data?.code)).toEqual(['not_found']);
  });
});

it('a client that has gone costs one log line', async () => {
  const lines: string[] = [];
  const collect = (chunk: unknown) => {
    lines.push(...String(chunk).split('\n').filter(Boolean));
    return true;
  };
  provider.plays(hangs('Hel'));
  const client = await connect(owner.apiKey);
  client.chat();
  await expect.poll(() => client.messages.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(collect),
    vi.spyOn(process.stderr, 'write').mockImplementation(collect),
    ...(['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(collect)),
  ];
  try {
    // Pings whose answers reach no client.
    for (let n = 0; n < 5; n++) client.send({ type: 'ping' });
    client.socket.terminate();
    await provider.requests.at(-1)!.aborted;
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await sleep(500);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'INFO', message: 'request', route: 'chat.complete-chat' },
  ]);
});
