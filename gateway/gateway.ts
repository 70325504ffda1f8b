import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { corsHeaders, isOpenToPages, preflightHeaders } from '../functions/shared/http/cors.ts';
import { bodyTooLarge } from '../functions/shared/http/parse-input.ts';
import { bodyLimitOf, type Route } from '../functions/shared/http/route.ts';
import { largeStep } from '../functions/shared/large-steps.ts';
import { BodyBudget } from './body-budget.ts';
import { problems } from './gateway-problems.ts';
import { type Handler, loadHandler } from './handler-modules.ts';
import { lambdaContext } from './lambda-context.ts';
import { proxyEvent, sourceIpOf, type TrustedProxy } from './proxy-event.ts';
import { httpResult } from './proxy-result.ts';
import { declaredLength, isChunked, readBody } from './read-body.ts';
import { refuseBrokenRequest, respond, respondToFailure } from './respond.ts';
import { installLambdaGlobal, isStreaming, ResponseStream } from './response-stream.ts';
import { router } from './routing.ts';
import { UnheardConnections } from './unheard-connections.ts';
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
  /** Whether a request's Host is a name of this service; others get 421. By default all are. */
  readonly isKnownHost?: ((host: string) => boolean) | undefined;
  /** By default 'none': who connects is the client. */
  readonly trustedProxy?: TrustedProxy;
  /** Origins of other sites whose pages may call this service; by default none. */
  readonly corsOrigins?: readonly string[];
  /**
   * Additional pages for people; by default none.
   * @returns null for any other path.
   */
  readonly page?: ((path: string, acceptEncoding: string) => Promise<Page | null>) | undefined;
  /** Takes requests to become a WebSocket; by default there is none. @returns false for one that is none of its */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer, sourceIp: string) => boolean;
  /** Bytes of bodies that are held at once, half of them for one address; more are refused with 503. By default as many as come. */
  readonly bodyBudgetBytes?: number;
  /**
   * Called before any of a body is read, with the event as it will be but for its body.
   * @param bodyBytes null when it is known only at the end.
   * @returns the workspace that the body is from; null where that was not looked up. @throws Problem when the body is not worth reading.
   */
  readonly screen?: (route: Route, head: APIGatewayProxyEvent, bodyBytes: number | null) => Promise<string | null>;
}

/** Something to read that no route answers. */
export interface Page {
  /** By default 200. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface Gateway {
  readonly port: number;
  /** Requests that are being worked on. */
  activeRequests(): number;
  /** Takes no more requests, lets those under way finish for `graceSeconds`, then cuts them off. */
  stop(graceSeconds?: number): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 15_000;
/** Time-outs are noticed so late at most; Node's own interval doubles that of headers and more. */
const CHECK_INTERVAL_MS = 3_000;
/** A body of 26 MB on a line of 2 Mbit/s takes 104 s. */
const REQUEST_TIMEOUT_MS = 120_000;
/** Longer than a load balancer's, so that it never sends a request on a connection that closes. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
}

/** API Gateway on one machine: the same route table, the same events, the same handlers. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  installLambdaGlobal();
  const match = router(options.routes);
  const handlerOf = options.loadHandler ?? loadHandler;
  const trustedProxy = options.trustedProxy ?? 'none';
  const corsOrigins = options.corsOrigins ?? [];
  const budget = new BodyBudget(options.bodyBudgetBytes ?? Number.POSITIVE_INFINITY);

  async function receive(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    head: () => APIGatewayProxyEvent,
  ): Promise<{ readonly body: Buffer; readonly tenant: string }> {
    const { maxBytes } = bodyLimitOf(route);
    const length = declaredLength(request);
    if (length > maxBytes) throw bodyTooLarge(route);
    const workspaceId = await options.screen?.(route, head(), isChunked(request) ? null : length);
    const address = sourceIpOf({
      trustedProxy,
      peerAddress: request.socket.remoteAddress ?? '',
      rawHeaders: request.rawHeaders,
    });
    response.once('close', budget.take(isChunked(request) ? maxBytes : length, address));
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    return { body: await readBody(request, route), tenant: workspaceId ?? address };
  }

  async function serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    let route: Route | null = null;
    try {
      // Node keeps the first one; a proxy before it may have gone by the other.
      if (countOf('host', request.rawHeaders) > 1) throw problems.severalHosts();
      unheard.heard(request.socket);
      const { host } = request.headers;
      if (host !== undefined && options.isKnownHost?.(host) === false) throw problems.unknownHost(host);
      await options.ready;
      const { path, query } = target(request);
      if (request.method === 'OPTIONS' && path === '*') return respond(response, 204, {}, '');
      const encodings = String(request.headers['accept-encoding'] ?? '');
      const page = request.method === 'GET' || request.method === 'HEAD' ? await options.page?.(path, encodings) : null;
      if (page) return respond(response, page.status ?? 200, page.headers, page.body);
      const found = match(request.method ?? '', path);
      if (found.kind === 'unknown-path') throw problems.unknownPath(path);
      if (found.kind === 'other-method') {
        if (request.method === 'OPTIONS') {
          const origins = found.routes.some(isOpenToPages) ? 'any' : corsOrigins;
          const preflight = preflightHeaders(request.headers.origin, origins, found.allow);
          return respond(response, 204, { allow: found.allow.join(', '), ...preflight }, '');
        }
        throw problems.otherMethod(request.method ?? '', found.allow);
      }
      route = found.route;
      await invoke(request, response, { requestId, path, query, ...found });
    } catch (error) {
      // Errors of the gateway itself reveal nothing about a user.
      const headers = corsHeaders(request.headers.origin, route && isOpenToPages(route) ? 'any' : corsOrigins);
      respondToFailure(request, response, { requestId, route, error, headers });
    }
  }

  async function invoke(
    request: IncomingMessage,
    response: ServerResponse,
    { requestId, path, query, route, pathParameters }: Target,
  ): Promise<void> {
    const received = {
      requestId,
      receivedAtMs: Date.now(),
      method: request.method ?? '',
      path,
      query,
      rawHeaders: request.rawHeaders,
      peerAddress: request.socket.remoteAddress ?? '',
      port: request.socket.localPort ?? 0,
      trustedProxy,
      pathParameters,
    };
    const head = () => proxyEvent(route, { ...received, body: Buffer.alloc(0) });
    const { body, tenant } = await receive(request, response, route, head);
    const event = await largeStep(body.length, tenant, () => proxyEvent(route, { ...received, body }));
    const timeoutMs = route.limits.timeoutSeconds * 1000;
    const over = new AbortController();
    response.once('close', () => response.writableFinished || over.abort(new Error('The client has gone away')));
    const context = lambdaContext(route, requestId, Date.now() + timeoutMs, over.signal);
    const handler = await handlerOf(route);
    const running = async () => {
      if (!isStreaming(handler)) return httpResult(await handler(event, context));
      const stream = new ResponseStream(response);
      await handler(event, stream, context);
      if (!stream.writableEnded) stream.end();
      return undefined;
    };
    const timedOut = () => {
      over.abort(new Error('The function has timed out'));
      return problems.timedOut();
    };
    const result = await withTimeout(running(), timeoutMs, timedOut);
    if (result !== undefined) respond(response, result.status, result.headers, result.body);
  }

  let stopping = false;
  let active = 0;
  const unheard = new UnheardConnections({ now: () => Date.now() });
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID();
    unheard.heard(request.socket);
    response.setHeader('x-request-id', requestId);
    active += 1;
    response.once('close', () => {
      active -= 1;
      // Kept-alive connections are idle again now, and nothing else would close them.
      if (stopping) server.closeIdleConnections();
    });
    void serve(request, response, requestId);
  };

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    unheard.heard(request.socket);
    const { host } = request.headers;
    const peerAddress = request.socket.remoteAddress ?? '';
    const isKnown = host === undefined || options.isKnownHost?.(host) !== false;
    const sourceIp = sourceIpOf({ trustedProxy, peerAddress, rawHeaders: request.rawHeaders });
    if (isKnown && options.upgrade?.(request, socket, head, sourceIp)) return;
    socket.end(
      `HTTP/1.1 ${isKnown ? '404 Not Found' : '421 Misdirected Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  };

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    onRequest,
  );
  // Large bodies are announced first (curl does so from 1 MB on); `receive` decides whether they may be sent.
  server.on('checkContinue', onRequest);
  server.on('clientError', refuseBrokenRequest);
  // A proxy has all connections of its clients, and waits for their headers itself.
  if (trustedProxy === 'none') server.on('connection', (socket) => unheard.opened(socket));
  if (options.upgrade) server.on('upgrade', onUpgrade);
  server.listen(options.port, options.host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    activeRequests: () => active,
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

interface Target {
  readonly requestId: string;
  readonly route: Route;
  readonly path: string;
  readonly query: string;
  readonly pathParameters: Readonly<Record<string, string>> | null;
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
