import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { bufferedHandler } from '../../../functions/shared/http/buffered-handler.ts';
import { pipeline } from '../../../functions/shared/http/pipeline.ts';
import { Problem } from '../../../functions/shared/http/problem.ts';
import type { Route } from '../../../functions/shared/http/route.ts';

const route = {
  id: 'system.test',
  method: 'POST',
  path: '/test',
  auth: ['api-key'],
  errors: 'extraction',
  doc: { summary: 'test' },
  body: z.object({ name: z.string() }),
  responses: {},
  limits: { timeoutSeconds: 10, memoryMb: 128 },
  access: [],
} as const satisfies Route;

const principal = { kind: 'key', id: 'k1', workspaceId: 'ws_1', role: 'owner', scopes: [] } as const;

interface Caller {
  readonly isKnown?: boolean;
  readonly isValid?: boolean;
  readonly scope?: 'sandbox';
  readonly body?: string;
}

/** Status and message of a response, and the order of its steps. */
async function answerTo(
  { isKnown = true, isValid = true, scope, body = '{"name":"a"}' }: Caller,
  ahead: () => Promise<{ loaded: string }> | null = async () => ({ loaded: 'ahead' }),
) {
  const steps: string[] = [];
  const authenticator = {
    find: () => ({ rank: 'header', text: 'x' }) as const,
    known: () => (isKnown ? principal : null),
    async verify() {
      await new Promise(setImmediate);
      steps.push('verified');
      return isValid ? principal : null;
    },
  };
  const endpoint = pipeline(
    { ...route, ...(scope && { scope }) } as typeof route,
    {
      authenticators: { 'api-key': () => authenticator },
      async load() {
        steps.push('load');
        return { loaded: 'behind' };
      },
      loadAhead({ workspaceId }, { body: { name } }) {
        steps.push(`load ${name} of ${workspaceId} ahead`);
        return ahead();
      },
    },
    async ({ loaded }) => ({ status: 200, body: { message: loaded } }),
  );
  const event = {
    ...{ path: '/test', headers: {}, body, isBase64Encoded: false },
    requestContext: { requestId: 'req-1', identity: { sourceIp: '192.0.2.1' } },
  } as unknown as APIGatewayProxyEvent;
  const context = { awsRequestId: 'aws-1', getRemainingTimeInMillis: () => 10_000 };
  const { statusCode, body: text } = await bufferedHandler(endpoint)(event, context);
  return { status: statusCode, message: JSON.parse(text).message, steps };
}

const AHEAD = 'load a of ws_1 ahead';

it('an endpoint loads while the credential of a known caller is checked, and uses it once that is valid', async () => {
  expect(await answerTo({})).toEqual({ status: 200, message: 'ahead', steps: [AHEAD, 'verified'] });
});

it.each<[string, Caller, (() => null)?]>([
  ['of an unknown caller', { isKnown: false }],
  ['that cannot be loaded ahead', {}, () => null],
])('an endpoint loads a request %s once its credential has been checked', async (_, caller, ahead) => {
  const { steps, ...answer } = await answerTo(caller, ahead);
  expect(answer).toEqual({ status: 200, message: 'behind' });
  expect(steps.slice(-2)).toEqual(['verified', 'load']);
});

it.each([
  ['whose key was revoked since', { isValid: false }, 401],
  ['without the scope', { scope: 'sandbox' }, 403],
] as const)('a known caller %s learns neither the loaded data nor that loading failed', async (_, caller, status) => {
  const fails = async () => {
    throw new Problem(404, 'not_found', 'secret');
  };
  for (const ahead of [undefined, fails]) {
    const answer = await answerTo(caller, ahead);
    expect(answer.status).toBe(status);
    expect(answer.message).not.toMatch(/ahead|secret/);
  }
});

it('a failure to load ahead is the answer to a valid caller', async () => {
  const fails = async () => {
    throw new Problem(404, 'not_found', 'There is none.');
  };
  expect(await answerTo({}, fails)).toMatchObject({ status: 404, message: 'There is none.' });
});

it('an endpoint loads nothing ahead for a body that is not valid', async () => {
  expect(await answerTo({ body: '{}' })).toMatchObject({ status: 400, steps: ['verified'] });
});
