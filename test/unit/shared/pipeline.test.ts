import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { Contention } from '../../../functions/shared/contention.ts';
import type { ApiRequest } from '../../../functions/shared/http/api-request.ts';
import { bufferedHandler } from '../../../functions/shared/http/buffered-handler.ts';
import { errorFormats, mergedFormats, routelessBody } from '../../../functions/shared/http/error-formats.ts';
import { pipeline } from '../../../functions/shared/http/pipeline.ts';
import { Problem } from '../../../functions/shared/http/problem.ts';
import type { WholeReply } from '../../../functions/shared/http/reply.ts';
import type { Route } from '../../../functions/shared/http/route.ts';
import { baseLimits, type LimitOverrides } from '../../../functions/shared/limits/base-limits.ts';
import type { Taken } from '../../../functions/shared/limits/rate-limit.ts';
import { logger } from '../../../functions/shared/logging.ts';

const route = {
  id: 'system.test',
  method: 'POST',
  path: '/test/{id}',
  auth: [],
  errors: 'extraction',
  doc: { summary: 'test' },
  params: z.object({ id: z.string() }),
  query: z.object({ items: z.literal('1').optional() }),
  body: z.object({ name: z.string() }),
  responses: {},
  limits: { timeoutSeconds: 10, memoryMb: 128 },
  access: [],
} as const satisfies Route;

function event(changes: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  return {
    path: '/test/7',
    headers: { 'X-Api-Key': 'tpk_secret', Cookie: 'a=1; b=2=3' },
    body: '{"name":"비밀"}',
    isBase64Encoded: false,
    pathParameters: { id: '7' },
    queryStringParameters: { items: '1' },
    requestContext: { requestId: 'req-1', identity: { sourceIp: '192.0.2.1' } },
    ...changes,
  } as APIGatewayProxyEvent;
}

interface Surroundings {
  readonly remainingMs?: number;
  readonly signal?: AbortSignal;
}

const context = ({ remainingMs = 10_000, ...rest }: Surroundings = {}) => ({
  awsRequestId: 'aws-1',
  getRemainingTimeInMillis: () => remainingMs,
  ...rest,
});

type Run = (request: ApiRequest<typeof route>) => Promise<WholeReply>;

async function responseOf(run: Run, input = event(), surroundings?: Surroundings) {
  const handler = bufferedHandler(pipeline(route, { authenticators: {} }, run));
  const result = await handler(input, context(surroundings));
  return { ...result, json: result.body === '' ? null : JSON.parse(result.body) };
}

let lines: unknown[][] = [];
beforeEach(() => {
  lines = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(logger(), level).mockImplementation((...line) => void lines.push([level, ...line]));
});

afterEach(() => vi.restoreAllMocks());

describe('an endpoint', () => {
  it('gets parsed input, and its reply goes out as JSON with the request id', async () => {
    const requests: ApiRequest<typeof route>[] = [];
    const response = await responseOf(async (request) => {
      requests.push(request);
      return { status: 201, body: { ok: true }, headers: { location: '/test/8' } };
    });
    expect(requests).toMatchObject([
      {
        requestId: 'req-1',
        principal: null,
        params: { id: '7' },
        query: { items: '1' },
        body: { name: '비밀' },
        headers: undefined,
        sourceAddress: '192.0.2.1',
        cookies: { a: '1', b: '2=3' },
      },
    ]);
    expect(requests[0]!.rawBody.bytes().toString()).toBe('{"name":"비밀"}');
    expect(response).toMatchObject({
      statusCode: 201,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-request-id': 'req-1',
        location: '/test/8',
      },
      json: { ok: true },
    });
    expect(response).not.toHaveProperty('multiValueHeaders');
  });

  it('may reply text of any type, and several cookies', async () => {
    const handler = bufferedHandler(
      pipeline(route, { authenticators: {} }, async () => ({
        status: 200,
        text: 'challenge',
        headers: { 'content-type': 'text/html' },
        cookies: ['a=1; HttpOnly', 'b=2'],
      })),
    );
    expect(await handler(event(), context())).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/html' },
      multiValueHeaders: { 'set-cookie': ['a=1; HttpOnly', 'b=2'] },
      body: 'challenge',
    });
  });

  it('leaves one line in the log, and neither key nor body in it', async () => {
    await responseOf(async () => ({ status: 200, body: {} }));
    expect(lines).toMatchObject([['info', 'request', { requestId: 'req-1', route: 'system.test', status: 200 }]]);
    expect(JSON.stringify(lines)).not.toMatch(/tpk_|비밀/);
  });

  it('waits for background work before it leaves that line, and lives with its failure', async () => {
    const done: string[] = [];
    await responseOf(async ({ background }) => {
      background(new Promise((resolve) => setTimeout(resolve, 5)).then(() => done.push('late')));
      background(Promise.reject(new Error('lost')));
      return { status: 204 };
    });
    expect(done).toEqual(['late']);
    expect(lines.map(([level, text]) => [level, text])).toEqual([
      ['warn', 'Background work failed'],
      ['info', 'request'],
    ]);
  });

  it('turns a problem into its status, code, details and headers', async () => {
    const response = await responseOf(async () => {
      throw new Problem(409, 'busy', 'Try later.', { details: { a: 1 }, headers: { 'retry-after': '2' } });
    });
    expect(response).toMatchObject({ statusCode: 409, headers: { 'retry-after': '2', 'x-request-id': 'req-1' } });
    expect(response.json).toEqual({
      data: null,
      status: 'error',
      code: 409,
      message: 'Try later.',
      error: { code: 'busy', message: 'Try later.', requestId: 'req-1', details: { a: 1 } },
    });
  });

  it('refuses wrong input before it runs', async () => {
    const response = await responseOf(async () => ({ status: 200, body: {} }), event({ body: '{"name":7}' }));
    expect(response.statusCode).toBe(400);
    expect(response.json.error.details).toEqual({ fields: { name: 'expected string, received number' } });
  });

  it('gives nothing of the unexpected away, and logs it', async () => {
    const response = await responseOf(async () => {
      throw new Error('password of the database is hunter2');
    });
    expect(response.statusCode).toBe(500);
    expect(response.json.error.code).toBe('internal_error');
    expect(response.json.message).toContain('req-1');
    expect(response.body).not.toContain('hunter2');
    expect(lines[0]).toMatchObject(['error', 'Unexpected error', { requestId: 'req-1' }]);
    expect((lines[0]![2] as { error: Error }).error.message).toContain('hunter2');
  });

  it('asks for a retry after too many conflicting changes, in every service', async () => {
    const response = await responseOf(async () => {
      throw new Contention();
    });
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({ 'retry-after': '1' });
    expect(response.json.message).toContain('send the request again');
  });

  it('responds 504 before its function is cut off, and signals the work to end', async () => {
    let aborted: AbortSignal | undefined;
    const response = await responseOf(
      ({ signal }) => {
        aborted = signal;
        return new Promise(() => undefined);
      },
      event(),
      { remainingMs: 301 },
    );
    expect(response.statusCode).toBe(504);
    expect(response.json.error.code).toBe('timeout');
    expect(aborted!.aborted).toBe(true);
  });

  it('ends its work when the client goes away, which is not a fault', async () => {
    const client = new AbortController();
    const response = await responseOf(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('interrupted')));
          client.abort();
        }),
      event(),
      { signal: client.signal },
    );
    expect(response.statusCode).toBe(499);
    expect(lines).toMatchObject([['info', 'request', { status: 499 }]]);
  });
});

describe('the limits of a route', () => {
  const limited = {
    ...route,
    rateLimits: [
      { limit: { name: 'by-address', burst: 5, refillMs: 1000 }, per: 'address' },
      { limit: { name: 'by-principal', burst: 9, refillMs: 1000 }, per: 'principal', cost: () => 3 },
      { limit: { name: 'by-token', burst: 9, refillMs: 1000 }, per: 'token' },
    ],
    auth: ['api-key'],
  } as const satisfies Route;

  interface Caller {
    readonly isValid?: boolean;
    /** Its credential was valid before. */
    readonly isKnown?: boolean;
    readonly input?: APIGatewayProxyEvent;
    readonly scope?: 'sandbox';
    readonly overrides?: LimitOverrides;
  }

  async function limitedResponse(take: (name: string) => Taken, caller: Caller = {}, route: Route = limited) {
    const { isValid = true, isKnown = false, input = event(), scope, overrides = {} } = caller;
    const asked: [string, string, number][] = [];
    const store = {
      take: async ({ name }: { name: string }, subject: string, tokens: number) => {
        asked.push([name, subject, tokens]);
        return take(name);
      },
    };
    const principal = { kind: 'key', id: 'k1', workspaceId: 'ws_1', role: 'owner', scopes: [] } as const;
    const verifiedAfter: number[] = [];
    const authenticator = {
      find: () => ({ rank: 'header', text: 'x' }) as const,
      known: () => (isKnown ? principal : null),
      verify: async () => {
        await new Promise(setImmediate);
        verifiedAfter.push(asked.length);
        return isValid ? principal : null;
      },
    };
    const handler = bufferedHandler(
      pipeline(
        { ...route, ...(scope && { scope }) },
        {
          authenticators: { 'api-key': () => authenticator },
          limits: () => ({ store, clock: { now: () => 0 }, base, overrides, storeFailed: async () => void failures++ }),
        } as never,
        async () => ({ status: 200, body: {} }),
      ),
    );
    const { statusCode, headers, body } = await handler(input, context());
    return { statusCode, headers: headers!, json: JSON.parse(body), asked, verifiedAfter };
  }
  const base = baseLimits({ user: 600, address: 300 });
  let failures = 0;
  const allFull = (): Taken => ({ taken: true, fullAtMs: 0 });

  it('take tokens of every bucket that applies, and report the tightest', async () => {
    const full = { 'by-address': 1000, 'by-principal': 7500 } as const;
    const response = await limitedResponse((name) => ({ taken: true, fullAtMs: full[name as keyof typeof full] ?? 0 }));
    expect(response.asked).toEqual([
      ['by-address', '192.0.2.1', 1],
      ['by-principal', 'k1', 3],
      ['user', 'k1', 1],
    ]);
    expect(response).toMatchObject({
      statusCode: 200,
      headers: { 'ratelimit-limit': '9', 'ratelimit-remaining': '1', 'ratelimit-reset': '8' },
    });
    expect(response.headers).not.toHaveProperty('retry-after');
  });

  it('have the numbers of the deployment where it sets them, and none where it switches them off', async () => {
    const byPrincipal = { name: 'by-principal', burst: 4, refillMs: 1 };
    const set = await limitedResponse(allFull, { overrides: { 'by-principal': byPrincipal } });
    expect(set.headers).toMatchObject({ 'ratelimit-limit': '4' });
    const off = await limitedResponse(allFull, { overrides: { 'by-principal': null } });
    expect(off.asked.map(([name]) => name)).toEqual(['by-address', 'user']);
  });

  it('refuse with 429 and the time to wait', async () => {
    const response = await limitedResponse((name) => ({ taken: name !== 'by-principal', fullAtMs: 9000 }));
    expect(response).toMatchObject({
      statusCode: 429,
      headers: { 'retry-after': '3', 'ratelimit-remaining': '0' },
      json: { message: 'Rate limit exceeded. Retry after 3 seconds.' },
    });
  });

  it('refuse an address before its credential, and ask nothing else then', async () => {
    const response = await limitedResponse(() => ({ taken: false, fullAtMs: 9000 }), { isValid: false });
    expect(response).toMatchObject({ statusCode: 429, asked: [['by-address', '192.0.2.1', 1]] });
  });

  it('of a caller that was valid before are checked while its credential is; of any other one afterwards', async () => {
    expect((await limitedResponse(allFull, { isKnown: true })).verifiedAfter).toEqual([3]);
    expect((await limitedResponse(allFull)).verifiedAfter).toEqual([1]);
  });

  it('by address hold for requests without a valid credential, and by user for the others', async () => {
    const buckets = async (caller: Caller, route?: Route) =>
      (await limitedResponse(allFull, caller, route)).asked.map(([name, subject]) => `${name} ${subject}`);
    const plain = { ...limited, rateLimits: [] };
    expect(await buckets({}, plain)).toEqual(['user k1']);
    expect(await buckets({ isValid: false }, plain)).toEqual(['address 192.0.2.1']);
    expect(await buckets({}, { ...plain, auth: [] })).toEqual(['address 192.0.2.1']);
    expect(await buckets({}, { ...plain, isUnlimited: true })).toEqual([]);
  });

  it('also hold for refused requests: a caller without the scope, a body that is not valid', async () => {
    const noScope = await limitedResponse(allFull, { scope: 'sandbox' });
    expect([noScope.statusCode, noScope.asked.length]).toEqual([403, 3]);
    const badBody = await limitedResponse(allFull, { input: event({ body: '{' }) });
    // Its cost cannot be known.
    expect([badBody.statusCode, badBody.asked.map(([name]) => name)]).toEqual([400, ['by-address', 'user']]);
  });

  it('let requests pass when the store fails, and each failure is counted', async () => {
    failures = 0;
    const { statusCode, headers } = await limitedResponse(() => {
      throw new Error('unavailable');
    });
    expect([statusCode, failures]).toEqual([200, 3]);
    expect(headers).not.toHaveProperty('ratelimit-limit');
  });
});

describe('the forms of errors', () => {
  const problem = new Problem(429, 'rate_limited', 'Rate limit exceeded. Retry after 3 seconds.', {
    details: { a: 1 },
  });

  it.each(Object.entries(errorFormats))('%s is what its schema says, and nothing else', (_, { body, schema }) => {
    expect(schema.strict().parse(body(problem, 'req-1'))).toEqual(body(problem, 'req-1'));
  });

  it('where no route is known, are those of all REST routes at once', () => {
    for (const { schema } of mergedFormats) schema.parse(routelessBody(problem, 'req-1'));
  });

  it('of the envelope has exactly four members', () => {
    expect(errorFormats.envelope.body(problem)).toEqual({
      data: null,
      status: 'error',
      code: 429,
      message: 'Rate limit exceeded. Retry after 3 seconds.',
    });
  });
});
