import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { apiHandler } from '../../../functions/shared/http/api-handler.ts';
import type { ApiRequest, ApiResponse } from '../../../functions/shared/http/api-request.ts';
import { Problem } from '../../../functions/shared/http/problem.ts';
import { envelopeBody, extractionBody } from '../../../functions/shared/http/problem-body.ts';
import type { Route } from '../../../functions/shared/http/route.ts';
import { logger } from '../../../functions/shared/logging.ts';

const route = {
  id: 'system.test',
  method: 'POST',
  path: '/test/{id}',
  auth: 'none',
  handler: 'none',
  doc: { summary: 'test' },
  params: z.object({ id: z.string() }),
  query: z.object({ items: z.literal('1').optional() }),
  body: z.object({ name: z.string() }),
  responses: {},
  limits: { timeoutSeconds: 10, memoryMb: 128 },
  access: {},
} as const satisfies Route;

function event(changes: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  return {
    path: '/test/7',
    headers: { 'X-Api-Key': 'tpk_secret' },
    body: '{"name":"비밀"}',
    isBase64Encoded: false,
    pathParameters: { id: '7' },
    queryStringParameters: { items: '1' },
    requestContext: { requestId: 'req-1' },
    ...changes,
  } as APIGatewayProxyEvent;
}

function context(remainingMs = 10_000): Context {
  return { awsRequestId: 'aws-1', getRemainingTimeInMillis: () => remainingMs } as Context;
}

type Run = (request: ApiRequest<typeof route>) => Promise<ApiResponse>;

async function answerOf(run: Run, input = event(), remainingMs?: number) {
  const handler = apiHandler(route, { presentProblem: extractionBody }, run);
  const result = await handler(input, context(remainingMs) as never, {} as never);
  return { ...result!, json: JSON.parse(result!.body) };
}

let lines: unknown[][] = [];
beforeEach(() => {
  lines = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(logger(), level).mockImplementation((...line) => void lines.push([level, ...line]));
});

describe('a handler', () => {
  it('gets parsed input, and its answer goes out as JSON with the request id', async () => {
    const requests: unknown[] = [];
    const answer = await answerOf(async (request) => {
      requests.push(request);
      return { status: 201, body: { ok: true }, headers: { location: '/test/8' } };
    });
    expect(requests).toMatchObject([
      { requestId: 'req-1', caller: null, params: { id: '7' }, query: { items: '1' }, body: { name: '비밀' } },
    ]);
    expect(answer).toMatchObject({
      statusCode: 201,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-request-id': 'req-1',
        location: '/test/8',
      },
      json: { ok: true },
    });
  });

  it('leaves one line in the log, and neither key nor body in it', async () => {
    await answerOf(async () => ({ status: 200, body: {} }));
    expect(lines).toMatchObject([['info', 'request', { requestId: 'req-1', route: 'system.test', status: 200 }]]);
    expect(JSON.stringify(lines)).not.toMatch(/tpk_|비밀/);
  });

  it('tells a problem with its status, code, details and headers', async () => {
    const answer = await answerOf(async () => {
      throw new Problem(409, 'busy', 'Try later.', { details: { a: 1 }, headers: { 'retry-after': '2' } });
    });
    expect(answer).toMatchObject({ statusCode: 409, headers: { 'retry-after': '2', 'x-request-id': 'req-1' } });
    expect(answer.json).toEqual({
      data: null,
      status: 'error',
      code: 409,
      message: 'Try later.',
      error: { code: 'busy', message: 'Try later.', requestId: 'req-1', details: { a: 1 } },
    });
  });

  it('refuses wrong input before it runs', async () => {
    const answer = await answerOf(async () => ({ status: 200, body: {} }), event({ body: '{"name":7}' }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json.error.details).toEqual({ fields: { name: 'expected string, received number' } });
  });

  it('tells nothing of the unexpected, and logs it', async () => {
    const answer = await answerOf(async () => {
      throw new Error('password of the database is hunter2');
    });
    expect(answer.statusCode).toBe(500);
    expect(answer.json.error.code).toBe('internal_error');
    expect(answer.json.message).toContain('req-1');
    expect(answer.body).not.toContain('hunter2');
    expect(lines[0]).toMatchObject(['error', 'Unexpected error', { requestId: 'req-1' }]);
    expect((lines[0]![2] as { error: Error }).error.message).toContain('hunter2');
  });

  it('answers 504 before its function is cut off', async () => {
    const answer = await answerOf(() => new Promise(() => undefined), event(), 301);
    expect(answer.statusCode).toBe(504);
    expect(answer.json.error.code).toBe('timeout');
  });
});

describe('the envelope of the other services', () => {
  it('has exactly the four members of specification 2', () => {
    const problem = new Problem(404, 'not_found', 'There is none.', { details: { a: 1 } });
    expect(envelopeBody(problem, 'req-1')).toEqual({
      data: null,
      status: 'error',
      code: 404,
      message: 'There is none.',
    });
  });
});
