import { Agent, request as httpRequest } from 'node:http';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorFormats, mergedFormats } from '../../../functions/shared/http/error-formats.ts';
import { type Probe, startProbe } from '../../helpers/probe-gateway.ts';
import { rawExchange } from '../../helpers/raw-http.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let probe: Probe;
/** The last call of the echo handler. */
let seen: { event: APIGatewayProxyEvent; context: Context };
let result: unknown;

beforeAll(async () => {
  const echo = async (...[event, context]: unknown[]) => {
    seen = { event: event as APIGatewayProxyEvent, context: context as Context };
    return result;
  };
  probe = await startProbe([
    { path: '/echo', run: echo },
    { path: '/echo', method: 'POST', bodyLimit: { maxBytes: 1000, advice: '' }, run: echo },
    { path: '/things/{id}', run: echo },
    { path: '/things/{id}/parts/{part}', run: echo },
    { path: '/things/special', run: () => ({ statusCode: 200, body: 'literal' }) },
    { path: '/throws', run: () => Promise.reject(new Error('secret detail')) },
    { path: '/slow', limits: { timeoutSeconds: 0.05 }, run: () => new Promise(() => undefined) },
  ]);
});

afterAll(() => probe.gateway.stop(0));

beforeEach(() => {
  result = { statusCode: 200, body: '{}' };
});

afterEach(() => vi.restoreAllMocks());

const call = (path: string, init: RequestInit = {}) => fetch(probe.url + path, init);

async function expectEnvelope(response: Response, status: number, code: string): Promise<{ message: string }> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json');
  const requestId = response.headers.get('x-request-id');
  expect(requestId).toMatch(UUID);
  const body = (await response.json()) as { message: string };
  expect(body).toMatchObject({
    data: null,
    status: 'error',
    code: status,
    message: expect.any(String),
    error: { code, message: body.message, requestId },
  });
  // Of a path or method without a route, any service's client may be the one that asks.
  const isRouteless = status === 404 || status === 405;
  for (const { schema } of isRouteless ? mergedFormats : [errorFormats.extraction]) schema.parse(body);
  return body;
}

describe('the event', () => {
  it('carries query, headers and address as API Gateway does', async () => {
    await call('/echo?a=1&a=2&b=%EC%95%BD&c=&d', {
      headers: [
        ['X-Custom', 'one'],
        ['x-custom', 'two'],
        ['X-Forwarded-For', '203.0.113.9'],
        ['User-Agent', 'probe'],
      ],
    });
    const { event, context } = seen;
    expect(event).toMatchObject({
      resource: '/echo',
      path: '/echo',
      httpMethod: 'GET',
      queryStringParameters: { a: '2', b: '약', c: '', d: '' },
      multiValueQueryStringParameters: { a: ['1', '2'], b: ['약'], c: [''], d: [''] },
      pathParameters: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        stage: 'local',
        resourcePath: '/echo',
        requestId: expect.stringMatching(UUID),
        identity: { sourceIp: '127.0.0.1', userAgent: 'probe' },
      },
    });
    const header = (name: string) => Object.entries(event.headers).find(([key]) => key.toLowerCase() === name)?.[1];
    expect(header('x-custom')).toContain('two');
    // What the client claims stays visible, but the last hop is the address that the gateway itself saw.
    expect(header('x-forwarded-for')).toBe('203.0.113.9, 127.0.0.1');
    expect(header('connection')).toBeUndefined();
    expect(context.awsRequestId).toBe(event.requestContext.requestId);
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0);
  });

  it('has no query members when there is no query', async () => {
    await call('/echo');
    expect(seen.event).toMatchObject({ queryStringParameters: null, multiValueQueryStringParameters: null });
  });

  it('keeps repeated headers apart and in the case in which they were sent', async () => {
    await rawExchange(
      probe.url,
      'GET /echo HTTP/1.1\r\nHost: x\r\nX-Twice: 1\r\nx-twice: 2\r\nConnection: close\r\n\r\n',
    );
    expect(seen.event.multiValueHeaders['X-Twice']).toEqual(['1', '2']);
    expect(seen.event.headers['X-Twice']).toBe('2');
  });

  it('passes path parameters as they were sent, like a REST API', async () => {
    await call('/things/a%2Fb%20c/parts/%EC%95%BD');
    expect(seen.event.resource).toBe('/things/{id}/parts/{part}');
    expect(seen.event.pathParameters).toEqual({ id: 'a%2Fb%20c', part: '%EC%95%BD' });
    expect(seen.event.path).toBe('/things/a%2Fb%20c/parts/%EC%95%BD');
  });

  it('prefers a literal segment to a parameter', async () => {
    expect(await (await call('/things/special')).text()).toBe('literal');
  });

  it.each([
    ['application/json', '{"약":1}'],
    ['application/problem+json; charset=utf-8', '{}'],
    ['text/plain', 'words'],
    ['application/x-www-form-urlencoded', 'a=1'],
  ])('passes a body of %s as text', async (contentType, body) => {
    await call('/echo', { method: 'POST', headers: { 'content-type': contentType }, body });
    expect(seen.event).toMatchObject({ body, isBase64Encoded: false, httpMethod: 'POST' });
  });

  it.each(['image/png', 'application/pdf', 'application/octet-stream', 'multipart/form-data; boundary=x'])(
    'passes a body of %s as base64',
    async (contentType) => {
      const body = new Uint8Array([0x89, 0x50, 0xff, 0x00]);
      await call('/echo', { method: 'POST', headers: { 'content-type': contentType }, body });
      expect(seen.event).toMatchObject({ body: Buffer.from(body).toString('base64'), isBase64Encoded: true });
    },
  );
});

describe('the answer', () => {
  it('takes status, headers, repeated headers and body from the handler', async () => {
    result = {
      statusCode: 201,
      headers: { 'Content-Type': 'text/plain', 'x-number': 7, 'x-request-id': 'own' },
      multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] },
      body: '약',
    };
    const response = await call('/echo');
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.get('content-length')).toBe('3');
    expect(response.headers.get('x-number')).toBe('7');
    expect(response.headers.get('x-request-id')).toBe('own');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('약');
  });

  it('decodes a base64 body', async () => {
    const bytes = Buffer.from([1, 2, 250]);
    result = { statusCode: 200, body: bytes.toString('base64'), isBase64Encoded: true };
    expect(Buffer.from(await (await call('/echo')).arrayBuffer())).toEqual(bytes);
  });

  it('is JSON and carries the request id unless the handler says otherwise', async () => {
    const response = await call('/echo');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-request-id')).toBe(seen.event.requestContext.requestId);
  });

  it('has no body, and no length, when the status has none', async () => {
    result = { statusCode: 204 };
    const response = await call('/echo');
    expect(response.status).toBe(204);
    expect(response.headers.has('content-length')).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['a string', 'text'],
    ['no status', { body: '{}' }],
    ['an invalid status', { statusCode: 99 }],
    ['a body that is not a string', { statusCode: 200, body: { a: 1 } }],
    ['more than Lambda hands back', { statusCode: 200, body: 'x'.repeat(6 * 1024 * 1024 + 1) }],
  ])('is 502 when the handler returns %s', async (_, wrong) => {
    vi.spyOn(console, 'error').mockReturnValue();
    result = wrong;
    expect(await expectEnvelope(await call('/echo'), 502, 'internal_error')).toMatchObject({
      message: 'Internal server error',
    });
  });

  it('is 502 when the handler throws, with the reason in the log and not in the response', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const response = await call('/throws');
    const { message } = await expectEnvelope(response, 502, 'internal_error');
    expect(message).toBe('Internal server error');
    expect(String(log.mock.calls[0]?.[1])).toContain('secret detail');
    expect(log.mock.calls[0]?.[0]).toContain(response.headers.get('x-request-id'));
  });

  it('is 504 when the handler takes longer than its route allows', async () => {
    expect(await expectEnvelope(await call('/slow'), 504, 'timeout')).toMatchObject({
      message: 'Endpoint request timed out',
    });
  });
});

describe('paths and methods', () => {
  it.each(['/nope', '/', '/echo/', '/things/', '/things/1/parts'])('answers 404 for %s', async (path) => {
    const { message } = await expectEnvelope(await call(path), 404, 'not_found');
    expect(message).toContain(path);
  });

  it('answers 405 with the methods that are allowed', async () => {
    const response = await call('/echo', { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    await expectEnvelope(response, 405, 'method_not_allowed');
  });

  it('answers OPTIONS with the methods', async () => {
    const response = await call('/things/1', { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('answers HEAD as GET, without the body', async () => {
    result = { statusCode: 200, body: '{"a":1}' };
    const response = await call('/echo', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('7');
    expect(await response.text()).toBe('');
    expect(seen.event.httpMethod).toBe('GET');
  });

  it.each(['/%zz', '/things/%E0%A4%A', '//evil.example/echo', '/things/%00', 'echo', ''])(
    'answers 400 for the malformed target %j',
    async (target) => {
      const answer = await rawExchange(probe.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer.toLowerCase()).toMatch(/x-request-id: [0-9a-f-]{36}/);
      expect(answer).toContain('"code":"invalid_request"');
    },
  );

  it('understands the absolute form that proxies send', async () => {
    await rawExchange(
      probe.url,
      'GET http://host.example/things/7?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(seen.event).toMatchObject({ path: '/things/7', queryStringParameters: { x: '1' } });
  });

  it.each([
    ['something else than HTTP', 'nonsense\r\n\r\n', 400],
    ['headers that are too large', `GET /echo HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('answers %s in the envelope', async (_, text, status) => {
    const answer = await rawExchange(probe.url, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const requestId = /x-request-id: (\S+)/.exec(head)?.[1];
    expect(JSON.parse(body)).toMatchObject({ status: 'error', code: status, error: { requestId } });
  });
});

it('serves several requests on one connection', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  for (const path of ['/echo', '/nope', '/things/1']) {
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(probe.url + path, { agent }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().once('end', resolve);
      });
      request.once('error', reject).end();
    });
  }
  agent.destroy();
  expect(ports.size).toBe(1);
});

it('refuses a request with two Host headers, which two servers may understand in two ways', async () => {
  const twice = 'GET /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nhost: other.example\r\nConnection: close\r\n\r\n';
  const answer = await rawExchange(probe.url, twice);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('several Host headers');
  expect(await rawExchange(probe.url, twice.replace('host: other.example\r\n', ''))).toMatch(/^HTTP\/1\.1 200 /);
});
