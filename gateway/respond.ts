import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorFormats, routelessBody } from '../functions/shared/http/error-formats.ts';
import { Problem } from '../functions/shared/http/problem.ts';
import type { Route } from '../functions/shared/http/route.ts';
import { problems } from './gateway-problems.ts';
import { declaredLength, isChunked } from './read-body.ts';

/** How long a body is still read and thrown away after an early response, so that the client gets to read it: the largest takes 13 s. */
const LINGER_MS = 15_000;
/** Slowly: a client that repeats refused requests must not keep the processor busy. */
const LINGER_BYTES_PER_MS = 2_000;

/** Writes a whole response; a status that has no body gets none, and no length either. */
export function respond(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): void {
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

/**
 * Responds to a request that no handler responded to: with the problem itself, or with 502 for anything else that was thrown.
 * @param route null when the request is for none.
 */
export function respondToFailure(
  request: IncomingMessage,
  response: ServerResponse,
  {
    requestId,
    route,
    error,
    headers: more,
  }: {
    readonly requestId: string;
    readonly route: Route | null;
    readonly error: unknown;
    readonly headers: OutgoingHttpHeaders;
  },
): void {
  // The client has gone, or has half a response that no status line can take back.
  if (request.socket.destroyed || response.headersSent) {
    response.destroy();
    return;
  }
  if (!(error instanceof Problem)) {
    console.error(`${requestId} ${request.method} ${request.url?.split('?')[0]} failed in its handler:`, error);
  }
  const problem = error instanceof Problem ? error : problems.handlerFailed();
  const format = route === null ? routelessBody : errorFormats[route.errors].body;
  const body = JSON.stringify(format(problem, requestId));
  const headers = { ...more, ...problem.headers, 'content-type': 'application/json' };
  if (hasUnreadBody(request)) respondEarly(request, response, problem.status, headers, body);
  else respond(response, problem.status, headers, body);
}

/**
 * Responds before the body has been read. Closing at once would reset the connection under a client that is still
 * sending, and take the response away with it: write it, and read on for a while without keeping anything.
 */
function respondEarly(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  response.write(body);
  let pause: NodeJS.Timeout | undefined;
  const finish = () => {
    clearTimeout(timer);
    clearTimeout(pause);
    response.end();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('data', ({ length }: Buffer) => {
    request.pause();
    pause = setTimeout(() => request.resume(), length / LINGER_BYTES_PER_MS);
  });
  request.on('end', finish).on('close', finish).resume();
}

function hasUnreadBody(request: IncomingMessage): boolean {
  return !request.complete && (declaredLength(request) > 0 || isChunked(request));
}

/** Requests that the HTTP parser gave up on: there is no response object, only the socket. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = brokenRequestProblem(error.code);
  const requestId = randomUUID();
  const body = JSON.stringify(routelessBody(problem, requestId));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function brokenRequestProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'headers_too_large', 'The request headers are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, 'request_timeout', 'The request did not arrive in time');
    default:
      return new Problem(400, 'invalid_request', 'This is not a valid HTTP request');
  }
}
