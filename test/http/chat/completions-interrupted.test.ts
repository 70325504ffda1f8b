import { describe, expect, it } from 'vitest';
import { messageTokens } from '../../../functions/chat/domain/tokens.ts';
import { call } from '../../helpers/api.ts';
import { applicationOn, chatRefusalOf, complete, sendStream, stream } from '../../helpers/chat.ts';
import {
  breaksOff,
  events,
  fails,
  hangs,
  says,
  scriptedProvider,
  upstreamChunk,
} from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

const service = useService();

const { provider, application } = useScriptedApplication(service, { model: { timeout: 2 } });

describe('a provider that', () => {
  const said = 'Incorrect API key provided: sk-secret';
  it.each([
    ['refuses the key', fails(401, { message: said }), 502, 'auth_error', 1],
    ['has no such model', fails(404), 502, 'provider_error', 1],
    ['refuses the request', fails(400, { message: 'bad schema' }), 400, 'invalid_request', 1],
    ['finds it too long', fails(400, { code: 'context_length_exceeded', message: 'x' }), 400, 'context_overflow', 1],
    ['has a limit', fails(429, {}, { 'retry-after': '0' }), 429, 'rate_limit', 3],
    ['asks for a long pause', fails(429, {}, { 'retry-after': '60' }), 429, 'rate_limit', 1],
    ['fails', fails(500), 502, 'provider_error', 3],
    ['sends garbage', events('data: {garbage\n\n'), 502, 'provider_error', 3],
    ['sends a page', events('<html></html>'), 502, 'provider_error', 3],
    ['ends at once', events(), 502, 'provider_error', 3],
    ['hangs', hangs(), 504, 'timeout', 1],
  ] as const)('%s', async (_, script, status, code, attempts) => {
    provider.plays(script);
    const answer = await complete(service, application.id, { stream: true });
    expect(chatRefusalOf(answer)).toMatchObject({ status, code });
    expect(provider.requests.length).toBe(attempts);
    expect(JSON.stringify(answer.json)).not.toContain('sk-secret');
    // Only if no request was repeated yet, and time helps.
    expect(answer.headers.get('x-should-retry')).toBe(attempts === 1 && status === 429 ? null : 'false');
  });

  it('breaks off before its first part', async () => {
    provider.plays(breaksOff());
    const answer = await complete(service, application.id, { stream: true });
    expect(chatRefusalOf(answer)).toMatchObject({ status: 502, code: 'provider_error' });
    // A kept connection that breaks is replaced at once, in addition to the three attempts.
    expect([3, 4]).toContain(provider.requests.length);
  });

  it.each([
    ['breaks off', breaksOff('Hel', 'lo'), 'provider_error'],
    ['ends without an end', events(upstreamChunk({ content: 'Hello' })), 'provider_error'],
    ['sends garbage', events(upstreamChunk({ content: 'Hello' }), 'data: {\n\n'), 'provider_error'],
    [
      'reports an error',
      events(upstreamChunk({ content: 'Hello' }), { error: { message: 'overloaded' } }),
      'provider_error',
    ],
    [
      'reports a limit',
      events(upstreamChunk({ content: 'Hello' }), { error: { code: 'rate_limit_exceeded' } }),
      'rate_limit',
    ],
    ['hangs', hangs('Hello'), 'timeout'],
  ] as const)('%s after its first part: the stream ends with the event error', async (_, script, code) => {
    provider.plays(script);
    const streamed = await stream(service, application.id, {});
    expect(streamed.text).toBe('Hello');
    expect(streamed.failure).toMatchObject({ code });
    expect(provider.requests.length).toBe(1);
  });

  it('closes late is not waited for', async () => {
    provider.plays(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(upstreamChunk({ content: 'ok' }, 'stop'))}\n\ndata: [DONE]\n\n`);
    });
    expect((await stream(service, application.id, {})).text).toBe('ok');
    await provider.requests[0]!.aborted;
  });

  it('recovers is asked again; one that does not is followed by the fallbacks', async () => {
    provider.plays(fails(503), fails(429, {}, { 'retry-after': '0' }), says('third time'));
    expect((await stream(service, application.id, {})).text).toBe('third time');
    const second = await scriptedProvider();
    const fallbacks = [{ provider: 'openai-compatible', name: 'second', base_url: second.baseUrl }];
    const { id } = await applicationOn(service, provider.baseUrl, { model: { fallbacks } });
    provider.plays(fails(401));
    second.plays(says('from the second'));
    const headers = { 'x-stream-events': 'named' };
    const { text, chunks } = await stream(service, id, {}, { headers });
    expect(text).toBe('from the second');
    expect(chunks[0]).toMatchObject({ event: { type: 'retry', scope: 'fallback', code: 'auth_error' } });
    expect(second.requests[0]!.headers.authorization).toBeUndefined();
    await second.stop();
  });
});

describe('a client that goes away', () => {
  it.each(['before the first part', 'in the middle'])('%s ends the provider’s work', async (phase) => {
    provider.plays(phase === 'in the middle' ? hangs('Hello') : hangs());
    const { id } = await applicationOn(service, provider.baseUrl, { model: { timeout: 100 } });
    const client = new AbortController();
    const response = sendStream(service, id, {}, {}, client.signal);
    response.catch(() => undefined);
    await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(1);
    if (phase === 'in the middle') await (await response).body!.getReader().read();
    client.abort();
    await provider.requests[0]!.aborted;
  });

  it('in the middle has used what the model had streamed, and before that nothing', async () => {
    const workspace = await createWorkspace();
    const caller = { ...service, ...workspace, baseUrl: service.baseUrl };
    const { id } = await applicationOn(caller, provider.baseUrl);
    for (const text of ['', 'Hello, how are you']) {
      provider.plays(text === '' ? hangs() : hangs(text));
      const client = new AbortController();
      const before = provider.requests.length;
      const response = sendStream(caller, id, {}, {}, client.signal);
      response.catch(() => undefined);
      await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(before + 1);
      if (text !== '') await (await response).body!.getReader().read();
      client.abort();
      await provider.requests[before]!.aborted;
    }
    const total = async () => {
      const { json } = await call(caller, 'GET', '/api/v1/usage', {});
      return (json as { data: { total: { calls: number; tokens_in: number; tokens_out: number } } }).data.total;
    };
    await expect.poll(async () => (await total()).calls, { timeout: 20_000 }).toBe(1);
    const { tokens_in, tokens_out } = await total();
    expect(tokens_in).toBeGreaterThan(0);
    expect(tokens_out).toBe(messageTokens({ role: 'assistant', content: 'Hello, how are you' }));
  });
});
