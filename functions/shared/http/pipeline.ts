import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { Contention } from '../contention.ts';
import type { LimitPorts } from '../limits/take-tokens.ts';
import { logger } from '../logging.ts';
import { memoize } from '../memoize.ts';
import type { Principal } from '../principal.ts';
import { TooBusy } from '../too-busy.ts';
import { inSpan } from '../tracing/spans.ts';
import { type ApiRequest, type HttpRequest, httpRequest } from './api-request.ts';
import {
  type Authenticator,
  type Authenticators,
  authenticate,
  authorize,
  claimOf,
  type KnownCaller,
} from './authenticate.ts';
import { corsHeaders } from './cors.ts';
import { Deadline } from './deadline.ts';
import { errorFormats, errorFrames } from './error-formats.ts';
import { interruptible } from './interruptible.ts';
import { inKorean } from './korean-problem.ts';
import { parseInput } from './parse-input.ts';
import { Problem } from './problem.ts';
import { RequestLimits } from './rate-limits.ts';
import { type HttpResponse, httpResponse, type Reply } from './reply.ts';
import type { Credential, Route } from './route.ts';

/** Dependencies of a route's pipeline. Each factory is called once, and only if the route needs its product. */
export interface PipelinePorts<R extends Route, Loaded extends object = object> {
  /** One for every credential that the route accepts. */
  readonly authenticators: { readonly [C in R['auth'][number]]: () => Authenticator };
  readonly limits?: () => LimitPorts;
  /** Origins of other sites whose pages may read responses; by default none. */
  readonly corsOrigins?: () => readonly string[];
  /** Where the guides are, without a slash at its end: error responses link to theirs. By default they link to none. */
  readonly guidesUrl?: () => string | undefined;
  /** The problem that one of the service's own errors is to its client; null for anything unexpected. */
  readonly toProblem?: (error: unknown) => Problem | null;
  /** Reads for `run`, at the same time as tokens are taken of the principal's limits; a refusal of these wins. */
  readonly load?: (request: ApiRequest<R>) => Promise<Loaded>;
  /**
   * Loads at the same time as the credential of a known caller is checked, which saves a round trip. It may change nothing: its product
   * counts only when the credential has turned out to be valid. Null where only `load` will do.
   */
  readonly loadAhead?: (caller: KnownCaller, input: ParsedInput<R>) => Promise<Loaded> | null;
}

type ParsedInput<R extends Route> = Pick<ApiRequest<R>, 'body' | 'params' | 'query' | 'headers'>;

export type EndpointContext = Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'> & {
  /** Aborted when the client goes away. The local gateway always knows; on AWS only a stream can. */
  readonly signal?: AbortSignal;
};

/** Gives the response to the client, all of it. @param signal aborted when the client has gone away, and at the deadline. */
export type Send = (response: HttpResponse, signal: AbortSignal) => Promise<void>;

/** A route's whole way from event to response. */
export interface Endpoint<A extends Reply = Reply> {
  (event: APIGatewayProxyEvent, context: EndpointContext, send: Send): Promise<void>;
  /** For types alone: what it may reply, since not every writer can write a stream. */
  readonly replies?: A;
}

/** So much of the function's time is kept for a proper answer that time has run out. */
const TIMEOUT_RESERVE_MS = 300;

/**
 * The path of every request: credential, limits, input, `run`, response. Anything thrown becomes the route's error body; unexpected
 * errors are logged, and the client gets a request id. The log line and the wait for background work come after the last byte, also of a
 * stream.
 */
export function pipeline<const R extends Route, A extends Reply, Loaded extends object = object>(
  route: R,
  { toProblem, load = async () => ({}) as Loaded, loadAhead, ...ports }: PipelinePorts<R, Loaded>,
  run: (request: ApiRequest<R> & Loaded) => Promise<A>,
): Endpoint<A> {
  const authenticators = authenticatorsOf(route, ports.authenticators);
  const limitPorts = limitPortsOf(route, ports.limits);
  const corsOrigins = ports.corsOrigins?.() ?? [];
  const guidesUrl = ports.guidesUrl?.();

  const respond: Endpoint<A> = async (event, context, send) => {
    const startedMs = performance.now();
    const deadline = new Deadline(context.getRemainingTimeInMillis() - TIMEOUT_RESERVE_MS);
    const background: Promise<void>[] = [];
    const request = httpRequest(event, {
      awsRequestId: context.awsRequestId ?? randomUUID(),
      deadlineMs: deadline.atMs,
      signal: context.signal ? AbortSignal.any([context.signal, deadline.signal]) : deadline.signal,
      background: (work) => void background.push(work.then(() => undefined, warnOfBackground)),
    });
    const { requestId, signal } = request;
    const warnOfBackground = (error: unknown) => logger().warn('Background work failed', { requestId, error });
    const limits = new RequestLimits(route, limitPorts);
    const isPublic = Boolean(authenticators['path-token']?.find(request));
    let principal: Principal | null = null;

    const reply = async (): Promise<Reply> => {
      const claim = claimOf(route, request, authenticators);
      const input = lazyInput(route, request);
      const known = claim?.caller ?? null;
      const ahead = known && input().value && loadAhead?.(known, { ...NO_INPUT, ...input().value } as ParsedInput<R>);
      ahead?.catch(() => undefined);
      // All in one round trip where the caller is known already: an id that anyone may claim must not empty its bucket.
      const [byAddress, byCredential, byCaller] = await Promise.allSettled([
        limits.takeByAddress(request),
        authenticate(route, claim),
        known && limits.takeByCaller(known, request, input().value?.body),
      ]);
      settledValue(byAddress);
      if (byCredential.status === 'rejected' && byCredential.reason instanceof Problem)
        await limits.takeByStranger(request);
      principal = settledValue(byCredential);
      settledValue(byCaller);
      const { value, error } = input();
      const parsed = { ...request, ...NO_INPUT, ...value, rawBody: request.body, principal } as ApiRequest<R>;
      const authorizeAndLoad = async () => {
        if (principal) authorize(principal, route);
        if (value === undefined) throw error;
        await limits.takeByBody(value.body, request);
        return ahead ?? load(parsed);
      };
      const [byLimits, loaded] = await Promise.allSettled([
        principal && !known && limits.takeByCaller(principal, request, value?.body),
        authorizeAndLoad(),
      ]);
      settledValue(byLimits);
      return run({ ...parsed, ...settledValue(loaded) });
    };
    const problemOf = (error: unknown): Problem => {
      if (error instanceof Problem) return error;
      if (context.signal?.aborted) return new Problem(499, 'client_closed_request', 'The client has gone away.');
      if (deadline.signal.aborted) return deadline.signal.reason;
      if (error instanceof Contention || error instanceof TooBusy)
        return new Problem(503, 'try_again', error.message, { headers: { 'retry-after': '1' } });
      return toProblem?.(error) ?? unexpected(error, route, requestId);
    };
    const problemReply = (error: unknown): Reply => {
      const problem = problemOf(error);
      const shown = request.language === 'ko' ? inKorean(problem) : problem;
      const body = errorFormats[route.errors].body(shown, requestId);
      const help = guidesUrl === undefined ? {} : { link: `<${guidesUrl}/errors.md#${problem.code}>; rel="help"` };
      return { status: problem.status, headers: { ...help, ...problem.headers }, body };
    };

    const replied = await Promise.race([reply(), deadline.passed]).catch(problemReply);
    const headers = {
      ...corsHeaders(request.headers.origin, isPublic ? 'any' : corsOrigins),
      ...limits.headers(),
      ...replied.headers,
      'x-request-id': requestId,
    };
    const response = httpResponse(
      'frames' in replied
        ? {
            ...replied,
            headers,
            frames: interruptible(replied.frames, {
              signal,
              // A client that reads a stream has its status already: an error is its last event.
              last(error) {
                const problem = problemOf(error);
                return errorFrames(route.errors, request.language === 'ko' ? inKorean(problem) : problem);
              },
              settled: request.background,
            }),
          }
        : { ...replied, headers },
    );
    try {
      await send(response, signal);
    } finally {
      await Promise.race([Promise.all(background), deadline.passed]).catch(() => undefined);
      deadline.clear();
      logger().info('request', {
        requestId,
        route: route.id,
        status: response.status,
        durationMs: Math.round(performance.now() - startedMs),
        ...principalFields(principal),
      });
    }
  };
  // Without the query and the ids of the path: nothing of a user's.
  const attributes = { 'http.request.method': route.method, 'http.route': route.path };
  return (event, context, send) =>
    inSpan(
      `${route.method} ${route.path}`,
      { kind: 'server', attributes, parent: traceparentOf(event.headers) },
      (span) =>
        respond(event, context, async (response, signal) => {
          span.set({ 'http.response.status_code': response.status });
          if (response.status >= 500) span.fail(String(response.status));
          await send(response, signal);
        }),
    );
}

/** Of the client's own trace, however the header is spelt. */
function traceparentOf(headers: APIGatewayProxyEvent['headers'] | null): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'traceparent')?.[1];
}

/** The parsed input of a request, or its validation problem. */
function lazyInput(route: Route, request: HttpRequest) {
  return memoize((): { readonly value?: ReturnType<typeof parseInput>; readonly error?: unknown } => {
    try {
      return { value: parseInput(route, request) };
    } catch (error) {
      return { error };
    }
  });
}

/** The parts that a route without a schema for them does not have. */
const NO_INPUT = { body: undefined, params: undefined, query: undefined, headers: undefined };

function authenticatorsOf(route: Route, factories: Readonly<Partial<Record<Credential, () => Authenticator>>>) {
  const entries = route.auth.map((credential) => {
    const make = factories[credential];
    if (make === undefined) throw new Error(`${route.id} accepts ${credential}, for which there is no authenticator.`);
    return [credential, make()] as const;
  });
  return Object.fromEntries(entries) as Authenticators;
}

function limitPortsOf({ id, rateLimits, isUnlimited }: Route, make: (() => LimitPorts) | undefined): LimitPorts | null {
  if (rateLimits !== undefined && make === undefined)
    throw new Error(`${id} has rate limits, and nothing to keep them in.`);
  return isUnlimited || make === undefined ? null : make();
}

function settledValue<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

function unexpected(error: unknown, { id }: Route, requestId: string): Problem {
  logger().error('Unexpected error', { requestId, route: id, error: error as Error });
  return new Problem(
    500,
    'internal_error',
    `Something went wrong on our side. Quote the request id ${requestId} when you ask us about it.`,
  );
}

function principalFields(principal: Principal | null): object {
  if (principal === null) return {};
  const { workspaceId, kind, id } = principal;
  return { workspaceId, principal: { kind, id } };
}
