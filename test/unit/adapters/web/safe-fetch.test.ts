import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readBody, SafeFetch, type SafeRequest } from '../../../../functions/adapters/web/safe-fetch.ts';
import { webModelAddresses } from '../../../../functions/adapters/web/web-model-addresses.ts';
import { listening } from '../../../helpers/listening.ts';

const { listen, serve, closedPort } = listening();
const web = new SafeFetch({ field: 'base_url', allowLoopback: true });
const fetch = (url: string, request: Partial<SafeRequest> = {}) => web.fetch(url, { timeoutMs: 5_000, ...request });

describe('requests', () => {
  it('carry method, headers and body', async () => {
    const seen: { method?: string | undefined; headers?: IncomingHttpHeaders; body?: string } = {};
    const base = await serve(async (request, response) => {
      Object.assign(seen, { method: request.method, headers: request.headers, body: await text(request) });
      response.writeHead(201, { 'x-reply': 'yes' }).end('{"ok":true}');
    });
    const { status, headers, body } = await fetch(`${base}/v1/chat`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: Buffer.from('{"a":"가"}'),
    });
    expect({ status, reply: headers['x-reply'], body: await text(body) }).toEqual({
      status: 201,
      reply: 'yes',
      body: '{"ok":true}',
    });
    expect(seen).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-length': '11', 'accept-encoding': 'identity' },
      body: '{"a":"가"}',
    });
  });

  it('keep to themselves what frames them: length, host and connection are not the caller\u2019s to set', async () => {
    let seen: IncomingHttpHeaders = {};
    const base = await serve((request, response) => {
      seen = request.headers;
      response.end();
    });
    const headers = {
      Host: 'internal.example',
      'content-length': '9',
      'Transfer-Encoding': 'chunked',
      connection: 'upgrade',
    };
    await readBody(await fetch(base, { headers, method: 'POST', body: Buffer.from('ab') }), 10, 'url');
    expect(seen).toMatchObject({ host: new URL(base).host, 'content-length': '2' });
    expect(seen['transfer-encoding']).toBeUndefined();
    expect(seen.connection).not.toBe('upgrade');
  });

  it.each([{ 'x-a': 'b\r\nx-injected: 1' }, { 'x a': 'b' }, { 'x-a\r\nx-injected': '1' }])(
    'are refused with the header %j, before any connection',
    async (headers) => {
      let connections = 0;
      const base = await serve((_, response) => void response.end(++connections));
      await expect(fetch(base, { headers })).rejects.toMatchObject({ reason: 'invalid_request' });
      expect(connections).toBe(0);
    },
  );
});

describe('redirects', () => {
  it('of another method than GET and HEAD are not followed', async () => {
    let requests = 0;
    const base = await serve((_, response) => {
      requests++;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const response = await fetch(base, { method: 'POST', body: Buffer.from('{}') });
    response.close();
    expect({ status: response.status, requests }).toEqual({ status: 307, requests: 1 });
  });

  it('take no secret along to another origin', async () => {
    let seen: IncomingHttpHeaders = {};
    const other = await serve((request, response) => {
      seen = request.headers;
      response.end('there');
    });
    const base = await serve((_, response) => response.writeHead(302, { location: `${other}/b` }).end());
    const headers = { authorization: 'Bearer secret', 'x-api-key': 'k', cookie: 'c=1', accept: 'text/plain' };
    expect(await text((await fetch(base, { headers })).body)).toBe('there');
    expect(seen).toMatchObject({ accept: 'text/plain' });
    for (const name of ['authorization', 'x-api-key', 'cookie']) expect(seen).not.toHaveProperty(name);
  });
});

describe('responses', () => {
  it('come as they are written, not at their end', async () => {
    let finish!: () => void;
    const base = await serve((_, response) => {
      response.write('data: one\n\n');
      finish = () => void response.end('data: two\n\n');
    });
    const parts: string[] = [];
    for await (const chunk of (await fetch(base)).body) {
      parts.push(Buffer.from(chunk).toString());
      finish();
    }
    expect(parts).toEqual(['data: one\n\n', 'data: two\n\n']);
  });

  it('end when the caller goes away, and so does the connection', async () => {
    let closed!: () => void;
    const gone = new Promise<void>((done) => (closed = done));
    const base = await serve((_, response) => void response.on('close', closed).write('first'));
    const leaving = new AbortController();
    const { body } = await fetch(base, { signal: leaving.signal });
    const reading = buffer(body);
    leaving.abort(new Error('The client has left.'));
    await expect(reading).rejects.toThrow('The client has left.');
    await gone;
  });

  it('that nothing reads when their time is over do no harm', async () => {
    const base = await serve((_, response) => void response.write('first'));
    const response = await fetch(base, { timeoutMs: 100 });
    await sleep(200);
    await expect(buffer(response.body)).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('of closed ports are failures that name the field and no address', async () => {
    const refused = fetch(`http://127.0.0.1:${await closedPort()}/`);
    await expect(refused).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringMatching(/^base_url /),
    });
    await expect(refused).rejects.not.toThrow('127.0.0.1');
  });

  it('are cut at the limit of who reads them whole', async () => {
    const base = await serve((_, response) => response.end(Buffer.alloc(1001)));
    await expect(fetch(base).then((response) => readBody(response, 1000, 'url'))).rejects.toMatchObject({
      reason: 'too_large',
    });
  });
});

describe('connections', () => {
  /** A server that answers with the number of the connection that it is asked over. */
  async function numbering(more: (socket: Socket) => void = () => undefined) {
    const numbers = new Map<unknown, number>();
    const server = createServer((request, response) => {
      if (!numbers.has(request.socket)) numbers.set(request.socket, numbers.size + 1);
      response.end(String(numbers.get(request.socket)));
      more(request.socket);
    });
    return listen(server);
  }
  const keeping = (resolved: () => readonly string[] = () => ['127.0.0.1']) =>
    new SafeFetch({ field: 'base_url', allowLoopback: true, resolve: async () => resolved() });
  async function ask(from: SafeFetch, port: number, connectionOwner?: string) {
    const kept = connectionOwner === undefined ? {} : { connectionOwner };
    const response = await from.fetch(`http://upstream.example:${port}`, { timeoutMs: 5_000, ...kept });
    const said = await text(response.body);
    response.finish();
    return said;
  }

  it('connections are kept for the next request of their owner only', async () => {
    const [port, from] = [await numbering(), keeping()];
    expect([await ask(from, port, 'a'), await ask(from, port, 'a')]).toEqual(['1', '1']);
    expect(await ask(from, port, 'b')).toBe('2');
    expect([await ask(from, port), await ask(from, port)]).toEqual(['3', '4']);
    expect(await ask(from, port, 'a')).toBe('1');
  });

  it('are not taken when the name leads elsewhere by now', async () => {
    let addresses = ['127.0.0.1'];
    const [port, from] = [await numbering(), keeping(() => addresses)];
    expect(await ask(from, port, 'a')).toBe('1');
    addresses = ['10.0.0.1'];
    await expect(ask(from, port, 'a')).rejects.toMatchObject({ reason: 'not_public' });
    addresses = ['::1', '127.0.0.1'];
    expect(await ask(from, port, 'a')).toBe('2');
  });

  it('that the server closes meanwhile are replaced by a new one', async () => {
    const from = keeping();
    const port = await numbering((socket) => setImmediate(() => socket.destroy()));
    expect([await ask(from, port, 'a'), await ask(from, port, 'a')]).toEqual(['1', '2']);
  });
});

describe('servers that the operator has named', () => {
  const strict = new SafeFetch({ field: 'base_url', allowLoopback: false });
  const lanFetch = (url: string) => strict.fetch(url, { timeoutMs: 5_000 });
  afterEach(() => vi.unstubAllEnvs());

  it('are reached in the private network, over plain http too, and no other port of theirs is', async () => {
    const base = await serve((_, response) => response.end('model'));
    const { host } = new URL(base);
    await expect(lanFetch(base)).rejects.toMatchObject({ reason: 'invalid_request' });
    vi.stubEnv('LAN_HOSTS', `pacs.hospital.example:443 ${host}`);
    expect(await text((await lanFetch(base)).body)).toBe('model');
    expect(webModelAddresses({ allowLoopback: false }).refusalOf(`${base}/v1`)).toBeNull();
    const other = await serve((_, response) => response.end('other'));
    await expect(lanFetch(other)).rejects.toMatchObject({ reason: 'invalid_request' });
    expect(webModelAddresses({ allowLoopback: false }).refusalOf(other)).not.toBeNull();
  });

  it('are not reached by the redirect of another server', async () => {
    const elsewhere = await serve((_, response) =>
      response.writeHead(302, { location: 'https://lan.test:9443/' }).end(),
    );
    vi.stubEnv('LAN_HOSTS', 'lan.test:9443');
    // An address outside the public internet that no packet is sent to.
    const resolve = async (host: string) => [host === 'lan.test' ? '0.0.0.1' : '127.0.0.1'];
    const fromElsewhere = new SafeFetch({ field: 'base_url', allowLoopback: true, resolve });
    await expect(fromElsewhere.fetch(elsewhere, { timeoutMs: 5_000 })).rejects.toMatchObject({ reason: 'not_public' });
    await expect(fromElsewhere.fetch('https://lan.test:9443/', { timeoutMs: 5_000 })).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });
});
