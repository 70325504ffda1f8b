import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiRequest } from '../shared/http/api-request.ts';
import type { Authenticator } from '../shared/http/authenticate.ts';
import { direct } from '../shared/http/execution-modes.ts';
import { type PipelinePorts, pipeline } from '../shared/http/pipeline.ts';
import type { Reply } from '../shared/http/reply.ts';
import type { Route } from '../shared/http/route.ts';
import type { LimitPorts } from '../shared/limits/take-tokens.ts';
import type { Principal } from '../shared/principal.ts';

/** A REST route that a tool calls, with what its handler does. */
export interface CalledRoute<R extends Route, Loaded extends object = object> {
  readonly route: R;
  readonly toProblem: (error: unknown) => ReturnType<NonNullable<PipelinePorts<R>['toProblem']>>;
  readonly load?: (request: ApiRequest<R>) => Promise<Loaded>;
  readonly run: (request: ApiRequest<R> & Loaded) => Promise<Reply>;
}

/** The input of a call, as an HTTP request has it. Names of headers are in lower case. */
export interface RouteInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

/** The request to the MCP endpoint that a call is made for. Its credential and its caller's bucket are checked. */
export type OuterRequest = Pick<
  ApiRequest<{ readonly auth: readonly ['api-key'] }>,
  'principal' | 'sourceAddress' | 'language' | 'baseUrl' | 'deadlineMs' | 'signal' | 'background'
>;

/** The reply to a call. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type RouteCall = (input: RouteInput, outer: OuterRequest) => Promise<Answer>;

/**
 * Makes calls of a route in this process: its pipeline checks scope and role, takes tokens of the route's own limits, parses, runs and
 * makes error bodies, in the form of extraction for all routes. The caller's bucket is left alone: the outer request has taken of it.
 */
export function routeCall<const R extends Route, Loaded extends object = object>(
  { route, toProblem, load, run }: CalledRoute<R, Loaded>,
  limits: () => LimitPorts,
): RouteCall {
  const ownLimits = () => ({ ...limits(), base: { user: null, address: null } });
  const called = { ...route, errors: 'extraction' } as const;
  return (input, { principal, signal, ...outer }) => {
    const ports = { authenticators: alwaysAs(principal), limits: ownLimits, toProblem, ...(load && { load }) };
    const endpoint = pipeline(called, ports as unknown as PipelinePorts<typeof called, Loaded>, run as never)(direct);
    const answered = Promise.withResolvers<Answer>();
    const endsAtMs = Math.min(outer.deadlineMs, Date.now() + route.limits.timeoutSeconds * 1000);
    const context = {
      awsRequestId: randomUUID(),
      getRemainingTimeInMillis: () => Math.max(0, endsAtMs - Date.now()),
      signal,
    };
    const ended = endpoint(eventOf(route, input, outer), context, async ({ statusCode: status, headers, body }) => {
      if (typeof body !== 'string') throw new Error(`${route.id} replied a stream to a call of a tool.`);
      answered.resolve({ status, headers, body: body === '' ? null : JSON.parse(body) });
    });
    ended.catch(answered.reject);
    // Work that the reply does not wait for.
    outer.background(ended);
    return answered.promise;
  };
}

/** The caller is known: any credential is theirs. */
function alwaysAs(principal: Principal): Readonly<Record<string, () => Authenticator>> {
  const known = (): Authenticator => ({
    find: () => ({ rank: 'header', text: principal.id }),
    verify: async () => principal,
  });
  const none = (): Authenticator => ({ find: () => null, verify: async () => null });
  return { 'api-key': known, jwt: none, cookie: none, 'path-token': none };
}

function eventOf(
  { method, path }: Route,
  { params = {}, headers = {}, body }: RouteInput,
  { sourceAddress, language, baseUrl }: Pick<OuterRequest, 'sourceAddress' | 'language' | 'baseUrl'>,
): APIGatewayProxyEvent {
  const host = URL.parse(baseUrl);
  return {
    httpMethod: method,
    path,
    headers: {
      'accept-language': language,
      host: host?.host,
      'x-forwarded-proto': host?.protocol.replace(':', ''),
      ...headers,
    },
    multiValueHeaders: {},
    pathParameters: params,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
    resource: path,
    isBase64Encoded: false,
    body: JSON.stringify(body),
    requestContext: { identity: { sourceIp: sourceAddress } } as APIGatewayProxyEvent['requestContext'],
  };
}
