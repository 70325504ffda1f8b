import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dynamoClient } from '../../functions/adapters/dynamodb/client.ts';
import { DynamoLimits } from '../../functions/adapters/shared/dynamo-limits.ts';
import { routes } from '../../functions/routes.ts';
import { environment } from '../../functions/shared/environment.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { batchImagesLimit } from '../../functions/shared/limits/base-limits.ts';
import type { OpenApiDocument } from '../../functions/system/openapi/openapi-types.ts';
import { examplesOf } from '../../local/events/examples.ts';
import { type ApiAnswer, call } from '../helpers/api.ts';
import { bearer, login, tokensOf } from '../helpers/auth.ts';
import { refillLimits } from '../helpers/limits.ts';
import { useService } from '../helpers/service.ts';
import { changeKey, createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

/** Every error that a route can be brought to give, against the description that the service gives of itself. */
const service = useService();
let document: OpenApiDocument;
let workspace: TestWorkspace;
/** Of those that are logged in: logging in has limits, which a test here uses up. */
const tokens = new Map<TestWorkspace, string>();
let limited: TestWorkspace;
beforeAll(async () => {
  document = (await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).json()) as OpenApiDocument;
  workspace = await createWorkspace();
  limited = await createWorkspace();
  for (const each of [workspace, limited]) tokens.set(each, tokensOf(await login(service, each)).access_token);
});

type Documented = Readonly<Record<string, { readonly content?: { readonly 'application/json': { schema: object } } }>>;

/** Throws unless the document has the status, and the body is valid by the schema that it gives for it. */
function expectDocumented({ method, path }: Route, status: number, body: unknown): void {
  const responses = document.paths[path]![method.toLowerCase()]!.responses as Documented;
  const schema = responses[status]?.content?.['application/json'].schema;
  expect(schema, `${status} is documented`).toBeDefined();
  const $defs = (document.components as { schemas: object }).schemas;
  const local = JSON.parse(JSON.stringify({ ...schema, $defs }).replaceAll('#/components/schemas/', '#/$defs/'));
  z.fromJSONSchema(local).parse(body);
}

/** The id of a channel, in the right form, that there is not. */
const NO_CHANNEL = 'chn_01JDXM00000000000000000000';

/** With the ids of its example, which are in the right form and name nothing. */
async function pathOf(route: Route): Promise<string> {
  const [example] = await examplesOf(route);
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example?.pathParameters?.[name] ?? 'unknown-1');
}
const isWrite = ({ method }: Route) => method === 'POST' || method === 'PATCH' || method === 'PUT';

async function exampleBody(route: Route): Promise<unknown> {
  const [example] = await examplesOf(route);
  return example?.body;
}

const withKey = () => ({ baseUrl: service.baseUrl, apiKey: workspace.apiKey });
const isForUsers = ({ auth }: Route) => auth.includes('jwt') && !auth.includes('api-key');

/** A call of a workspace's own: with its key, or with a token of its owner where the route takes no keys. */
async function callAs(
  own: TestWorkspace,
  route: Route,
  path: string,
  { headers, ...options }: Parameters<typeof call>[3] = {},
): Promise<ApiAnswer> {
  return call(withKey(), route.method, path, {
    ...options,
    key: null,
    headers: { ...headers, ...credentialOf(own, route) },
  });
}

const credentialOf = (own: TestWorkspace, route: Route): Readonly<Record<string, string>> =>
  isForUsers(route) ? bearer(tokens.get(own)!) : { 'x-api-key': own.apiKey };

/** Routes with a platform's signature have separate tests: their senders have no credential to vary here. */
const isSigned = ({ auth }: Route) => auth.includes('signature');
const only = (wanted: (route: Route) => boolean) => routes.filter(wanted).map((route) => [route.id, route] as const);
const onlyUnsigned = (wanted: (route: Route) => boolean) => only((route) => !isSigned(route) && wanted(route));

describe('401', () => {
  it.each(onlyUnsigned(({ auth }) => auth.length > 0))('of %s', async (_, route) => {
    for (const key of [null, 'tpk_wrong']) {
      const { status, headers, json } = await call(withKey(), route.method, await pathOf(route), { key });
      expect(status).toBe(401);
      expect(headers.get('link')).toBe('</guides/errors.md#invalid_key>; rel="help"');
      expectDocumented(route, status, json);
    }
  });
});

describe('403', () => {
  it.each(only(({ scope, role, auth }) => auth.includes('api-key') && (scope !== undefined || role !== undefined)))(
    'of %s',
    async (_, route) => {
      const narrow = await createWorkspace();
      await changeKey(narrow.keyId, { scopes: [route.scope === 'chat' ? 'sandbox' : 'chat'] });
      const body = await exampleBody(route);
      const { status, json } = await call({ ...withKey(), apiKey: narrow.apiKey }, route.method, await pathOf(route), {
        body,
      });
      expect(status).toBe(403);
      expectDocumented(route, status, json);
    },
  );
});

describe('400', () => {
  it.each(onlyUnsigned((route) => route.body !== undefined))('of a body of %s', async (_, route) => {
    for (const raw of ['{', '{"constructor":1}', Buffer.from('"\xff"', 'latin1')]) {
      // The endpoints of chat share one limit.
      await refillLimits();
      const { status, json } = await callAs(workspace, route, await pathOf(route), { raw });
      expect(status).toBe(400);
      expectDocumented(route, status, json);
    }
  });

  it.each(only(({ query }) => query !== undefined))('of a query of %s', async (_, route) => {
    const query = Object.keys(route.query!.shape).map((name) => `${name}=%20`);
    const { status, json } = await callAs(workspace, route, `${await pathOf(route)}?${query.join('&')}`);
    expect(status).toBe(400);
    expectDocumented(route, status, json);
  });
});

describe('404', () => {
  it.each(only(({ path }) => path.includes('{')))('of %s', async (_, route) => {
    const [example] = await examplesOf(route);
    // A webhook without the id of its channel is for the only one of its type, and other tests may have some here.
    const query = isSigned(route) ? `channel=${NO_CHANNEL}` : (example?.query ?? '');
    const { status, json } = await callAs(workspace, route, `${await pathOf(route)}?${query}`, { body: example?.body });
    expect(status).toBe(404);
    expectDocumented(route, status, json);
  });
});

/** The response to a client that announces a body of this size before sending it. */
async function announced(route: Route, bytes: number): Promise<{ status: number | undefined; text: string }> {
  const asked = request(service.baseUrl + (await pathOf(route)), {
    method: route.method,
    headers: { 'x-api-key': workspace.apiKey, expect: '100-continue', 'content-length': bytes },
  });
  asked.flushHeaders();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const length = Number(response.headers['content-length']);
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (Buffer.byteLength(text) >= length) break;
  }
  asked.destroy();
  return { status: response.statusCode, text };
}

describe('413', () => {
  it.each(only(isWrite))('of %s', async (_, route) => {
    const { status, text } = await announced(route, 50_000_000);
    expect(status).toBe(413);
    expectDocumented(route, 413, JSON.parse(text));
    if (route.bodyLimit) expect(text).toContain(route.bodyLimit.advice);
  });
});

describe('415', () => {
  it.each(onlyUnsigned((route) => route.body !== undefined))('of %s', async (_, route) => {
    // Several routes take from one bucket.
    await refillLimits();
    const headers = { 'content-encoding': 'gzip' };
    const { status, json } = await callAs(workspace, route, await pathOf(route), { raw: '{}', headers });
    expect(status).toBe(415);
    expectDocumented(route, status, json);
  });
});

describe('429', () => {
  // That of a batch's images goes by the limit of callers, which the suite has switched off: extract.429 shows it.
  const isLimited = ({ rateLimits = [] }: Route) =>
    rateLimits.some(({ limit }) => limit.name !== batchImagesLimit.name);
  it.each(onlyUnsigned(isLimited))('of %s', async (_, route) => {
    const store = new DynamoLimits(dynamoClient(), environment('LIMITS_TABLE').LIMITS_TABLE);
    const principal = isForUsers(route) ? limited.userId : limited.keyId;
    const body = await exampleBody(route);
    for (const { limit, per, subject = () => principal } of route.rateLimits!)
      await store.take(
        limit,
        per === 'address' ? '127.0.0.1' : subject(body, '127.0.0.1'),
        limit.burst,
        Date.now() + limit.burst * limit.refillMs,
      );
    const { status, headers, json } = await callAs(limited, route, await pathOf(route), { body });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expectDocumented(route, status, json);
  });
});
