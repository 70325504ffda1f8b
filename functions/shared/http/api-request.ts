import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import type { Route, Scope } from './route.ts';

/** What a handler gets: parsed by the route's schemas, of a caller that the route lets in. */
export interface ApiRequest<R extends Route> {
  /** Also the `x-request-id` of the answer. */
  readonly requestId: string;
  readonly path: string;
  /** What a client writes before a path to reach this service, as this request did: `https://api.example.com/prod`. */
  readonly baseUrl: string;
  /** Epoch milliseconds at which the caller is told that time has run out. */
  readonly deadlineMs: number;
  readonly caller: R['auth'] extends 'api-key' ? Caller : null;
  readonly body: Parsed<R, 'body'>;
  readonly params: Parsed<R, 'params'>;
  readonly query: Parsed<R, 'query'>;
  readonly headers: Parsed<R, 'headers'>;
}

type Parsed<R extends Route, Part extends InputPart> = R extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

export type InputPart = 'body' | 'params' | 'query' | 'headers';

export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

export interface ApiResponse {
  readonly status: number;
  /** Sent as JSON; absent where the status has no body: 204. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Header names in lower case, whatever the client wrote. */
export function headersOf(event: Pick<APIGatewayProxyEvent, 'headers'>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  return headers;
}

export function requestIdOf(event: Pick<APIGatewayProxyEvent, 'requestContext'>, fallback: string): string {
  return event.requestContext?.requestId ?? fallback;
}

/**
 * API Gateway names itself, and the stage where the address has one. Elsewhere the client's Host header is all there is: it
 * only ever comes back to who sent it.
 */
export function baseUrlOf(event: Pick<APIGatewayProxyEvent, 'headers' | 'path' | 'requestContext'>): string {
  const { domainName, path = '' } = event.requestContext ?? {};
  if (domainName) return `https://${domainName}${path.endsWith(event.path) ? path.slice(0, -event.path.length) : ''}`;
  const { host = 'localhost', 'x-forwarded-proto': protocol = 'http' } = headersOf(event);
  return URL.parse(`${protocol === 'https' ? 'https' : 'http'}://${host}`)?.origin ?? 'http://localhost';
}
