import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { type Language, preferredLanguage } from '../language.ts';
import type { Principal } from '../principal.ts';
import type { Route } from './route.ts';

/** A request as it came, before anything of it is parsed. */
export interface HttpRequest {
  /** Also the `x-request-id` of the response. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The prefix of the service's addresses, as the client used it: `https://api.example.com/prod`. */
  readonly baseUrl: string;
  /** The client's IP address as the gateway saw it, never as a header claims it. */
  readonly sourceAddress: string;
  /** Of texts for people, by the header `Accept-Language`. */
  readonly language: Language;
  /** As the client names itself, cut to a length that can be stored; null when it does not. */
  readonly userAgent: string | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  readonly queryParameters: Readonly<Record<string, string | undefined>>;
  readonly body: RawBody;
  /** Epoch milliseconds at which the client gets a 504. */
  readonly deadlineMs: number;
  /** Aborted when the client has gone away, and at the deadline. */
  readonly signal: AbortSignal;
  /** Work that the response does not wait for. The function waits: Lambda freezes pending work once it returns. */
  background(work: Promise<unknown>): void;
}

/** A body as Lambda got it: as text, or in base64 when it is, or may be, no text. */
export interface RawBody {
  readonly text: string;
  readonly isBase64: boolean;
  /** Its very bytes, which signatures are made over; made when they are asked for, since bodies can have megabytes. */
  bytes(): Buffer;
}

/** The input of a route's handler: the request, its principal, and the input parsed by the route's schemas. */
export interface ApiRequest<R extends Pick<Route, 'auth'>> extends Omit<HttpRequest, 'headers' | 'body'> {
  readonly rawBody: RawBody;
  readonly principal: R['auth'] extends readonly [] ? null : Principal;
  readonly body: Parsed<R, 'body'>;
  readonly params: Parsed<R, 'params'>;
  readonly query: Parsed<R, 'query'>;
  readonly headers: Parsed<R, 'headers'>;
}

type Parsed<R, Part extends InputPart> = R extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

export type InputPart = 'body' | 'params' | 'query' | 'headers';

/** The parts of an invocation that a request needs. */
export interface Invocation extends Pick<HttpRequest, 'deadlineMs' | 'signal' | 'background'> {
  /** Used when the event has no request id. */
  readonly awsRequestId: string;
}

const MAX_USER_AGENT_LENGTH = 200;

export function httpRequest(event: APIGatewayProxyEvent, { awsRequestId, ...invocation }: Invocation): HttpRequest {
  const headers = headersOf(event);
  const { body: text, isBase64Encoded: isBase64 } = event;
  return {
    requestId: event.requestContext?.requestId ?? awsRequestId,
    method: event.httpMethod,
    path: event.path,
    baseUrl: baseUrlOf(event, headers),
    sourceAddress: event.requestContext?.identity?.sourceIp ?? '',
    language: preferredLanguage(headers['accept-language']),
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) || null,
    headers,
    cookies: cookiesOf(event, headers),
    pathParameters: event.pathParameters ?? {},
    queryParameters: event.queryStringParameters ?? {},
    body: {
      text: text ?? '',
      isBase64: isBase64 === true,
      bytes: () => Buffer.from(text ?? '', isBase64 ? 'base64' : 'utf8'),
    },
    ...invocation,
  };
}

function headersOf(event: Pick<APIGatewayProxyEvent, 'headers'>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  return headers;
}

/** Values as they were sent. HTTP/2 lets a client spread its cookies over several headers. */
function cookiesOf(event: APIGatewayProxyEvent, headers: Readonly<Record<string, string>>): Record<string, string> {
  if (headers.cookie === undefined) return {};
  const repeated = Object.entries(event.multiValueHeaders ?? {}).find(([name]) => name.toLowerCase() === 'cookie');
  const pairs = (repeated?.[1] ?? [headers.cookie]).join(';').split(';');
  const cookies = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    // The first of a name is of the most specific path.
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return Object.fromEntries(cookies);
}

/**
 * API Gateway names itself, and the stage where the address has one. Elsewhere the client's Host header is all there is: it
 * only ever comes back to who sent it.
 */
function baseUrlOf(event: APIGatewayProxyEvent, headers: Readonly<Record<string, string>>): string {
  const { domainName, path = '' } = event.requestContext ?? {};
  if (domainName) return `https://${domainName}${path.endsWith(event.path) ? path.slice(0, -event.path.length) : ''}`;
  const { host = 'localhost', 'x-forwarded-proto': protocol = 'http' } = headers;
  return URL.parse(`${protocol === 'https' ? 'https' : 'http'}://${host}`)?.origin ?? 'http://localhost';
}
