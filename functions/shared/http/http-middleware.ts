import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Exchange, ExecutionMode, Middleware } from '../middy.ts';
import type { Principal } from '../principal.ts';
import type { Span } from '../tracing/span.ts';
import type { HttpRequest } from './api-request.ts';
import type { Deadline } from './deadline.ts';
import type { RequestLimits } from './rate-limits.ts';
import type { HttpResponse } from './reply.ts';

export type EndpointContext = Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'> & {
  /** Aborted when the client goes away. The local gateway always knows; on AWS only a stream can. */
  readonly signal?: AbortSignal;
};

/** Gives the response to the client, all of it. @param signal aborted when the client has gone away, and at the deadline. */
export type Send = (response: HttpResponse, signal: AbortSignal) => Promise<void>;

/** One request: the event is API Gateway's until it is admitted, then the input of the route's handler. */
export type HttpExchange = Exchange<
  APIGatewayProxyEvent,
  EndpointContext & { readonly deadline?: Deadline },
  HttpResponse,
  Shared
>;

export type HttpMiddleware = Middleware<HttpExchange>;
export type HttpMode<Handler> = ExecutionMode<HttpExchange, Handler>;

/** Facts that middlewares leave for each other, each by the middleware of its name. */
export interface Shared {
  span: Span;
  startedMs: number;
  deadline: Deadline;
  background: HttpRequest['background'];
  request: HttpRequest;
  limits: RequestLimits;
  /** Set once the credential has turned out to be valid. */
  principal?: Principal;
  /** Set by the execution mode of a stream; absent: Lambda returns the response. */
  send?: Send;
  /** The response that the client gets; set when its sending starts. */
  sent?: HttpResponse;
}

/** A middleware that does the same with every response, of the handler or of an error. */
export function onResponse(hook: (exchange: HttpExchange) => void | Promise<void>) {
  return { after: hook, onError: hook } as const satisfies HttpMiddleware;
}

/** Adds headers that the response does not have. */
export function addHeaders(exchange: HttpExchange, headers: Readonly<Record<string, string>>): void {
  const { response } = exchange;
  if (response) exchange.response = { ...response, headers: { ...headers, ...response.headers } };
}
