import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { OpenInput } from '../../../functions/adapters/runner/run-body.ts';
import { RunnerHttp } from '../../../functions/adapters/runner/runner-http.ts';
import { ExecutionFailed } from '../../../functions/sandbox/domain/execution-refused.ts';
import type { Run, RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import type { RunnerAnswer } from '../../../functions/sandbox/domain/runner-ports.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import type { ReceivedRun } from '../../../sandbox/runner/read-run.ts';
import { LanguageMissing, LanguagePreparing } from '../../../sandbox/runner/runner.ts';
import { runnerServer } from '../../../sandbox/runner/server.ts';
import { Tenancy } from '../../../sandbox/runner/tenancy.ts';
import { HELLO, program } from '../../helpers/execution-flow.ts';

const TOKEN = 'the token';
const { sessionId: _, ...run } = program({ code: 'print("한국어")' }) as unknown as Run & { sessionId: null };

const servers: (Server | HttpServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server | HttpServer): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Asked {
  readonly answer: RunnerAnswer | Error;
  readonly taken: number;
}

async function ask(
  url: string,
  {
    token = TOKEN,
    patienceMs = 20_000,
    workspaceId = 'a',
    signal = undefined as AbortSignal | undefined,
    of = run as Run,
    open = undefined as OpenInput | undefined,
  } = {},
): Promise<Asked> {
  let taken = 0;
  const client = new RunnerHttp({ token: async () => token, patienceMs, ...(open && { open }) });
  const answer = await client
    .run({ id: 'r', url, workspaceId: null }, of, { workspaceId, ...(signal && { signal }) }, () => taken++)
    .catch((error: Error) => error);
  return { answer, taken };
}

describe('the runner’s own server', () => {
  /** The real server; only what it would run is decided here. */
  async function server(
    how: (given: ReceivedRun, signal: AbortSignal) => Promise<RunOutcome> = async () => HELLO,
    maxUses = 3,
  ) {
    const given: ReceivedRun[] = [];
    const over = Promise.withResolvers<void>();
    const url = await listening(
      runnerServer({
        languages: () => [{ name: 'python', version: '3.13' }],
        run: (order, signal) => {
          given.push(order);
          return how(order, signal);
        },
        token: TOKEN,
        tenancy: new Tenancy({ maxUses, maxAgeMs: 600_000 }, () => 0),
        onDrained: over.resolve,
      }),
    );
    return { url, given, over: over.promise };
  }

  it('gets the program as it is, and answers with its outcome', async () => {
    const { url, given } = await server();
    expect(await ask(url)).toEqual({ answer: { kind: 'ran', outcome: HELLO, retires: false }, taken: 1 });
    expect(given).toEqual([run]);
  });

  it('takes a program of the largest size', async () => {
    const { url, given } = await server();
    const large = { ...run, code: '\u0001'.repeat(1024 * 1024), stdin: '"'.repeat(4 * 1024 * 1024) };
    expect(await ask(url, { of: large })).toMatchObject({ answer: { kind: 'ran' } });
    expect(given[0] === undefined ? '' : given[0].stdin.length).toBe(4 * 1024 * 1024);
  });

  it('gets stored files in their places, which are read only once it has accepted the program', async () => {
    const { url, given } = await server();
    const [first, last] = [Buffer.alloc(300_000, 1), Buffer.alloc(200_000, 2)];
    const stored = (path: string, { length: size }: Buffer) => ({ path, object: `ws/${path}`, size });
    const files = [
      stored('a', first),
      { path: 'b', base64: 'c2VudA==' },
      stored('c', last),
      stored('d', Buffer.alloc(0)),
    ];
    const opened: string[] = [];
    async function* parts(bytes: Buffer) {
      for (let from = 0; from < bytes.length; from += 70_000) yield bytes.subarray(from, from + 70_000);
    }
    const open: OpenInput = async (object) => {
      opened.push(object);
      return parts({ 'ws/a': first, 'ws/c': last }[object] ?? Buffer.alloc(0));
    };
    expect(await ask(url, { token: 'another', of: { ...run, files }, open })).toMatchObject({ taken: 0 });
    expect(opened).toEqual([]);
    expect(await ask(url, { of: { ...run, files }, open })).toMatchObject({ answer: { kind: 'ran' }, taken: 1 });
    expect(given[0]?.files).toEqual([
      { path: 'a', bytes: first },
      { path: 'b', bytes: Buffer.from('sent') },
      { path: 'c', bytes: last },
      { path: 'd', bytes: Buffer.alloc(0) },
    ]);
    expect(opened).toEqual(['ws/a', 'ws/c', 'ws/d']);
  });

  it.each<[string, OpenInput, new (...args: never[]) => Error]>([
    ['is gone', async () => null, ExecutionFailed],
    ['cannot be read', () => Promise.reject(new Error('S3 is away')), SandboxUnavailable],
    ['has become shorter', async () => Readable.from([Buffer.from('ab')]), SandboxUnavailable],
    ['has become longer', async () => Readable.from([Buffer.from('abcd')]), SandboxUnavailable],
  ])('starts nothing when a stored file %s', async (_name, open, kind) => {
    const { url, given } = await server();
    const files = [{ path: 'a', object: 'ws/a', size: 3 }];
    expect((await ask(url, { of: { ...run, files }, open })).answer).toBeInstanceOf(kind);
    expect(given).toEqual([]);
    // The runner may still be noticing that its caller has gone.
    await expect.poll(() => ask(url)).toMatchObject({ answer: { kind: 'ran', retires: false } });
  });

  it('refuses more bytes of files than a run may have', async () => {
    const { url, given } = await server();
    const files = [0, 1].map((n) => ({ path: `f${n}`, object: `ws/${n}`, size: 13 * 2 ** 20 }));
    const open: OpenInput = async () => Readable.from([Buffer.alloc(13 * 2 ** 20)]);
    expect(await ask(url, { of: { ...run, files }, open })).toMatchObject({ answer: expect.any(Error) });
    expect(given).toEqual([]);
  });

  it('refuses a program whose language is not prepared yet, which counts for nothing', async () => {
    const { url } = await server(async () => {
      throw new LanguagePreparing('go is still being prepared.');
    }, 1);
    for (let i = 0; i < 2; i += 1)
      expect(await ask(url)).toEqual({ answer: { kind: 'refused', reason: 'preparing' }, taken: 1 });
  });

  it('says which one is its last, and then that it is over', async () => {
    const { url, over } = await server(undefined, 1);
    expect(await ask(url)).toMatchObject({ answer: { kind: 'ran', retires: true } });
    await over;
    expect(await ask(url)).toEqual({ answer: { kind: 'refused', reason: 'retired' }, taken: 0 });
  });

  it('is over when its caller has hung up', async () => {
    const { url, over } = await server((_order, signal) => {
      stop.abort(new Error('cancelled'));
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    });
    const stop = new AbortController();
    expect(await ask(url, { signal: stop.signal })).toMatchObject({ answer: expect.any(Error), taken: 1 });
    await over;
  });

  it('refuses before it is sent the program: while it has another, and those of other workspaces', async () => {
    const release = Promise.withResolvers<RunOutcome>();
    const began = Promise.withResolvers<void>();
    const { url, given } = await server(() => {
      began.resolve();
      return release.promise;
    });
    const first = ask(url);
    await began.promise;
    expect(await ask(url)).toEqual({ answer: { kind: 'refused', reason: 'busy' }, taken: 0 });
    release.resolve(HELLO);
    expect(await first).toMatchObject({ answer: { kind: 'ran' } });
    expect(await ask(url, { workspaceId: 'b' })).toEqual({
      answer: { kind: 'refused', reason: 'other_workspace' },
      taken: 0,
    });
    expect(given).toHaveLength(1);
  });

  it('says that it lacks a language', async () => {
    const { url } = await server(() => Promise.reject(new LanguageMissing('no python')));
    expect(await ask(url)).toMatchObject({ answer: { kind: 'refused', reason: 'no_language' } });
    expect(await ask(url)).toMatchObject({ answer: { kind: 'refused', reason: 'no_language' } });
  });

  it('runs nothing without the token, without a workspace, and nothing that is not a run', async () => {
    const { url, given } = await server();
    expect(await ask(url, { token: 'another' })).toMatchObject({ answer: { kind: 'refused', reason: 'unreachable' } });
    const post = (headers: Record<string, string>, body: unknown) =>
      fetch(`${url}/runs`, { method: 'POST', headers, body: JSON.stringify(body) });
    const authorization = `Bearer ${TOKEN}`;
    expect((await post({ authorization }, run)).status).toBe(400);
    expect((await post({ authorization, 'x-workspace-id': 'a' }, { ...run, timeoutSeconds: 301 })).status).toBe(400);
    expect(given).toEqual([]);
    // Neither counts as one of its runs.
    expect(await ask(url)).toMatchObject({ answer: { kind: 'ran', retires: false } });
  });

  it('reports its languages', async () => {
    const { url } = await server();
    const client = new RunnerHttp({ token: async () => TOKEN, patienceMs: 20_000 });
    expect(await client.languages({ url })).toEqual([{ name: 'python', version: '3.13' }]);
    await expect(new RunnerHttp({ token: async () => '', patienceMs: 1 }).languages({ url })).rejects.toThrow('401');
  });
});

describe('a runner that fails', () => {
  /** Treats each connection as the test sets it. */
  async function broken(act: (socket: Socket, heard: string) => void): Promise<string> {
    return listening(
      createServer((socket) => {
        socket.on('error', () => undefined);
        let heard = '';
        socket.on('data', (chunk) => {
          heard += chunk.toString();
          act(socket, heard);
        });
      }),
    );
  }
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const answering = (text: string) => (socket: Socket, heard: string) => {
    if (heard.endsWith('}')) socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    else if (heard.endsWith('\r\n\r\n')) socket.write(CONTINUE);
  };

  it.each<[string, (socket: Socket, heard: string) => void]>([
    ['dies at the first word', (socket) => socket.resetAndDestroy()],
    ['hangs up at the first word', (socket) => socket.end()],
    ['answers nonsense at the first word', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
    ['takes it at once, half', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{')],
  ])('has started nothing when it %s', async (_name, act) => {
    expect(await ask(await broken(act))).toEqual({ answer: { kind: 'refused', reason: 'unreachable' }, taken: 0 });
  });

  it('has started nothing when it is not there, or does not answer', async () => {
    const gone = createServer();
    const url = await listening(gone);
    gone.close();
    await once(gone, 'close');
    const unreachable = { answer: { kind: 'refused', reason: 'unreachable' }, taken: 0 };
    expect(await ask(url)).toEqual(unreachable);
    expect(await ask(await broken(() => undefined), { patienceMs: 50 })).toEqual(unreachable);
  });

  it.each<[string, (socket: Socket, heard: string) => void]>([
    [
      'dies when it has the program',
      (socket, heard) => (heard.endsWith('}') ? socket.resetAndDestroy() : socket.write(CONTINUE)),
    ],
    [
      'dies with half an answer',
      (socket, heard) =>
        heard.endsWith('}')
          ? socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"kind":"fin')
          : socket.write(CONTINUE),
    ],
    ['answers without JSON', answering('finished')],
    ['answers without an outcome', answering('{"kind":"great"}')],
  ])('may have started it when it %s: it is lost', async (_name, act) => {
    expect(await ask(await broken(act))).toEqual({ answer: expect.any(Error), taken: 1 });
  });

  it('has started nothing, as far as the caller cares, when the caller gives up first', async () => {
    const stop = new AbortController();
    const url = await broken(() => stop.abort());
    expect(await ask(url, { signal: stop.signal })).toEqual({ answer: expect.any(Error), taken: 0 });
  });
});
