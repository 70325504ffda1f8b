import untyped from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { EndpointContext, Exchange, HttpMiddleware } from './http-middleware.ts';
import type { HttpResponse } from './reply.ts';

/** middy's `executionMode`: makes the function that Lambda calls of the steps of a request. */
export type ExecutionMode<Handler> = (
  tools: {
    readonly middyRequest: (event: APIGatewayProxyEvent, context: EndpointContext) => Exchange;
    readonly runRequest: (exchange: Exchange, ...steps: Steps) => Promise<HttpResponse>;
  },
  ...steps: Steps
) => Handler;

/** Middlewares, handler and settings, which modes only pass on. */
type Steps = readonly unknown[];

type Framed<Handler> = Handler & { use(middleware: HttpMiddleware): Framed<Handler> };

/** middy for requests: its own types have `any` for events and responses. */
export const middy = untyped as unknown as <Handler>(
  handle: (request: never, context: never) => Promise<HttpResponse>,
  settings: { readonly executionMode: ExecutionMode<Handler>; readonly timeoutEarlyInMillis: number },
) => Framed<Handler>;
