import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Route } from '../../functions/shared/http/route.ts';
import { answer, fail, refuseBrokenRequest } from './answers.ts';
import { BodyBudget } from './body-budget.ts';
import { problems } from './gateway-problem.ts';
import { type Handler, loadHandler } from './handler-modules.ts';
import { lambdaContext } from './lambda-context.ts';
import { proxyEvent, type Surroundings, sourceIpOf } from './proxy-event.ts';
import { httpAnswer } from './proxy-result.ts';
import { declaredLength, isChunked, readBody } from './read-body.ts';
import { installLambdaGlobal, isStreaming, ResponseStream } from './response-stream.ts';
import { router } from './routing.ts';
import { withTimeout } from './with-timeout.ts';

export interface GatewayOptions {
  readonly routes: readonly Route[];
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Where a route's handler comes from; by default its module under functions/. */
  readonly loadHandler?: (route: Route) => Promise<Handler>;
  /** Requests wait for it. By default they are served as soon as the port is open. */
  readonly ready?: Promise<unknown>;
  /** Tells whether a request's Host is a name of this service; others get 421. By default all are. */
  readonly isKnownHost?: ((host: string) => boolean) | undefined;
  /** By default 'nothing': who connects is the client. */
  readonly behind?: Surroundings;
  /** Bytes of bodies that are held at once, half of them for one address; more are refused with 503. By default as many as come. */
  readonly bodyBudgetBytes?: number;
  /** Asked before any of a body is read. @throws GatewayProblem when it is not worth reading. */
  readonly screen?: (route: Route, request: IncomingMessage) => Promise<void>;
}

export interface Gateway {
  readonly port: number;
  /** Takes no more requests, lets those under way finish for `graceSeconds`, then cuts them off. */
  stop(graceSeconds?: number): Promise<void>;
}

/** A Lambda event has at most 6 MB. */
const DEFAULT_MAX_BODY_BYTES = 6 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
/** A body of 26 MB on a line of 2 Mbit/s takes 104 s. */
const REQUEST_TIMEOUT_MS = 120_000;
/** Longer than a load balancer's, so that it never sends a request on a connection that closes. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** API Gateway on one machine: the same route table, the same events, the same handlers. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  installLambdaGlobal();
  const match = router(options.routes);
  const handlerOf = options.loadHandler ?? loadHandler;
  const behind = options.behind ?? 'nothing';
  const budget = new BodyBudget(options.bodyBudgetBytes ?? Number.POSITIVE_INFINITY);

  async function receive(request: IncomingMessage, response: ServerResponse, route: Route): Promise<Buffer> {
    const maxBodyBytes = route.limits.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
    const length = declaredLength(request);
    if (length > maxBodyBytes) throw problems.bodyTooLarge(maxBodyBytes);
    await options.screen?.(route, request);
    const address = sourceIpOf({
      behind,
      peerAddress: request.socket.remoteAddress ?? '',
      rawHeaders: request.rawHeaders,
    });
    response.once('close', budget.take(isChunked(request) ? maxBodyBytes : length, address));
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    return readBody(request, maxBodyBytes);
  }

  async function serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const { host } = request.headers;
    if (host !== undefined && options.isKnownHost?.(host) === false) throw problems.unknownHost(host);
    await options.ready;
    const receivedAtMs = Date.now();
    const { path, query } = target(request);
    if (request.method === 'OPTIONS' && path === '*') return answer(response, 204, {}, '');
    const found = match(request.method ?? '', path);
    if (found.kind === 'unknown-path') throw problems.unknownPath(path);
    if (found.kind === 'other-method') {
      if (request.method === 'OPTIONS') return answer(response, 204, { allow: found.allow.join(', ') }, '');
      throw problems.otherMethod(request.method ?? '', found.allow);
    }
    const { route, pathParameters } = found;
    const body = await receive(request, response, route);
    const event = proxyEvent(route, {
      requestId,
      receivedAtMs,
      method: request.method ?? '',
      path,
      query,
      rawHeaders: request.rawHeaders,
      peerAddress: request.socket.remoteAddress ?? '',
      port: request.socket.localPort ?? 0,
      behind,
      pathParameters,
      body,
    });
    const timeoutMs = route.limits.timeoutSeconds * 1000;
    const context = lambdaContext(route, requestId, Date.now() + timeoutMs);
    const handler = await handlerOf(route);
    const running = async () => {
      if (!isStreaming(handler)) return httpAnswer(await handler(event, context));
      const stream = new ResponseStream(response);
      await handler(event, stream, context);
      if (!stream.writableEnded) stream.end();
      return undefined;
    };
    const result = await withTimeout(running(), timeoutMs, problems.timedOut);
    if (result !== undefined) answer(response, result.status, result.headers, result.body);
  }

  let stopping = false;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID();
    response.setHeader('x-request-id', requestId);
    // Kept-alive connections are idle again now, and nobody else would close them.
    response.once('close', () => stopping && server.closeIdleConnections());
    serve(request, response, requestId).catch((error: unknown) => fail(request, response, requestId, error));
  };

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    onRequest,
  );
  // Large bodies are announced first (curl does so from 1 MB on); `receive` says whether to go on.
  server.on('checkContinue', onRequest);
  server.on('clientError', refuseBrokenRequest);
  server.listen(options.port, options.host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceSeconds = 4) {
      stopping = true;
      const closed = once(server, 'close');
      server.close();
      const cutOff = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

/** Path and query of the request line; both stay percent-encoded. */
function target(request: IncomingMessage): { path: string; query: string } {
  const url = request.url ?? '';
  if (url === '*') return { path: '*', query: '' };
  // The absolute form, which proxies send: everything from the path on counts.
  const origin = /^https?:\/\/[^/?#]+/i.exec(url)?.[0] ?? '';
  const [path = '', ...query] = url.slice(origin.length).split('?');
  if (!path.startsWith('/') || path.startsWith('//') || !isDecodable(path)) throw problems.malformedUrl();
  return { path, query: query.join('?') };
}

function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}
