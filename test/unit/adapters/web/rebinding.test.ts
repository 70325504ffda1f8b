import { globSync, readFileSync } from 'node:fs';
import { Socket, type TcpSocketConnectOpts } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SafeFetch } from '../../../../functions/adapters/web/safe-fetch.ts';

const PUBLIC = '8.8.8.8';
const LOOPBACK = '127.0.0.1';

/** A name whose server answers with one address after the other, and then with the last one. */
function rebinding(...answers: readonly string[]) {
  let asked = 0;
  return { asked: () => asked, resolve: async () => [answers[Math.min(asked++, answers.length - 1)]!] };
}

/** Keeps connections from being opened. @returns the addresses that they would have been opened to */
function heldConnections(): readonly string[] {
  const seen: string[] = [];
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...[given]: unknown[]) {
    // Node's own callers pass their arguments in one array.
    const { host, lookup } = (Array.isArray(given) ? given[0] : given) as TcpSocketConnectOpts;
    setImmediate(() =>
      lookup!(host!, { all: true }, (_error, addresses) => {
        seen.push(...(addresses as { address: string }[]).map(({ address }) => address));
        this.destroy(new Error('No connection is opened here.'));
      }),
    );
    return this;
  });
  return seen;
}

afterEach(() => vi.restoreAllMocks());

describe('a name that leads elsewhere once it was checked', () => {
  const url = 'https://rebinding.example:8443/';
  it.each([
    ['a new connection', {}],
    ['a connection that may be kept', { connectionOwner: 'ws' }],
  ])('is reached at the address that was checked, by %s', async (_how, more) => {
    const { asked, resolve } = rebinding(PUBLIC, LOOPBACK);
    const web = new SafeFetch({ field: 'url', allowLoopback: false, resolve });
    const connected = heldConnections();
    await expect(web.fetch(url, { timeoutMs: 5_000, ...more })).rejects.toMatchObject({ reason: 'unreachable' });
    expect([connected, asked()]).toEqual([[PUBLIC], 1]);
    // The next request looks it up, and judges what it finds.
    await expect(web.fetch(url, { timeoutMs: 5_000, ...more })).rejects.toMatchObject({ reason: 'not_public' });
    expect(connected).toEqual([PUBLIC]);
  });
});

/** Reach what the operator named: a collector of traces, and the runners. */
const TO_OPERATORS_HOSTS = new Set(['functions/shared/tracing/tracer.ts', 'functions/adapters/runner/runner-http.ts']);

it('no other module opens connections', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const opens =
    /^import (?!type\b)(?!\{ (?:isIP|isIPv6|type \w+|, )+ \}).*'(?:node:(?:https?|net|tls|http2|dgram)|undici)'|BuiltinModule\([^)]*'node:(?:https?|net|tls|http2|dgram)|(?:await|return|=>|[=(])\s*(?:globalThis\.)?fetch\(|new WebSocket\(/m;
  const opening = globSync('functions/**/*.ts', { cwd: root }).filter((file) =>
    opens.test(readFileSync(`${root}${file}`, 'utf8')),
  );
  expect(opening).toContain('functions/adapters/web/pinned-request.ts');
  const others = opening.filter((file) => !file.startsWith('functions/adapters/web/') && !TO_OPERATORS_HOSTS.has(file));
  expect(others).toEqual([]);
});
