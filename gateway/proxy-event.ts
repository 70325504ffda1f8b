import { isAscii, isUtf8 } from 'node:buffer';
import { isIP } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Route } from '../functions/shared/http/route.ts';

/** The gateway's view of one request, independent of HTTP's machinery. */
export interface ReceivedRequest {
  readonly requestId: string;
  readonly receivedAtMs: number;
  readonly method: string;
  /** As sent, percent-encoding included. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Names and values alternating, as sent: Node's `rawHeaders`. */
  readonly rawHeaders: readonly string[];
  /** Of the peer. Behind a load balancer the peer is the balancer, and its headers carry the client's: see `trustedProxy`. */
  readonly peerAddress: string;
  readonly port: number;
  readonly trustedProxy: TrustedProxy;
  readonly pathParameters: Readonly<Record<string, string>> | null;
  readonly body: Buffer;
}

/** The proxy whose word on a client's address counts. */
export type TrustedProxy = 'none' | 'load-balancer';

const STAGE = 'local';
const ACCOUNT_ID = '000000000000';

/** Headers between two neighbours, which API Gateway keeps for itself. */
const hopByHop = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const textTypes = /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|graphql)\b|[^;]+\+(json|xml)\b)/i;

/**
 * The event of an API Gateway REST API with Lambda proxy integration (payload 1.0).
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyEvent(route: Route, request: ReceivedRequest): APIGatewayProxyEvent {
  const headers = headersOf(request);
  const query = queryOf(request.query);
  const userAgent = headers.find(({ name }) => name.toLowerCase() === 'user-agent')?.values.at(-1) ?? null;
  // Invalid text must reach the handler unchanged, which a string cannot hold.
  const isBase64Encoded = request.body.length > 0 && (isBinary(headers) || !isUtf8(request.body));
  return {
    resource: route.path,
    path: request.path,
    httpMethod: route.method,
    headers: Object.fromEntries(headers.map(({ name, values }) => [name, values.at(-1)])),
    multiValueHeaders: Object.fromEntries(headers.map(({ name, values }) => [name, values])),
    queryStringParameters: query && Object.fromEntries(query.map(({ name, values }) => [name, values.at(-1)])),
    multiValueQueryStringParameters: query && Object.fromEntries(query.map(({ name, values }) => [name, values])),
    pathParameters: request.pathParameters,
    stageVariables: null,
    requestContext: requestContext(route, request, userAgent),
    body: request.body.length === 0 ? null : bodyText(request.body, isBase64Encoded),
    isBase64Encoded,
  };
}

function bodyText(body: Buffer, isBase64Encoded: boolean): string {
  if (isBase64Encoded) return body.toString('base64');
  // The same characters; a picture in JSON is decoded in a fraction of the time.
  return body.toString(isAscii(body) ? 'latin1' : 'utf8');
}

function requestContext(
  route: Route,
  request: ReceivedRequest,
  userAgent: string | null,
): APIGatewayProxyEvent['requestContext'] {
  return {
    accountId: ACCOUNT_ID,
    apiId: 'local',
    authorizer: null,
    protocol: 'HTTP/1.1',
    httpMethod: route.method,
    path: `/${STAGE}${request.path}`,
    stage: STAGE,
    requestId: request.requestId,
    extendedRequestId: request.requestId,
    requestTime: new Date(request.receivedAtMs).toUTCString(),
    requestTimeEpoch: request.receivedAtMs,
    resourceId: route.id,
    resourcePath: route.path,
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: null,
      apiKeyId: null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: sourceIpOf(request),
      user: null,
      userAgent,
      userArn: null,
    },
  };
}

interface Named {
  readonly name: string;
  readonly values: string[];
}

/** Names in the case in which they were sent: handlers must not rely on any. */
function headersOf(request: ReceivedRequest): Named[] {
  const named = grouped(
    pairs(request.rawHeaders).filter(([name]) => !hopByHop.has(name.toLowerCase())),
    (name) => name.toLowerCase(),
  );
  // The load balancer has added the client's address, and overwritten port and protocol.
  if (request.trustedProxy === 'load-balancer') return named;
  const forwardedFor = named.find(({ name }) => name.toLowerCase() === 'x-forwarded-for')?.values.join(', ');
  const own: Named[] = [
    { name: 'X-Forwarded-For', values: [[forwardedFor, sourceIpOf(request)].filter(Boolean).join(', ')] },
    { name: 'X-Forwarded-Port', values: [String(request.port)] },
    { name: 'X-Forwarded-Proto', values: ['http'] },
  ];
  const ownNames = new Set(own.map(({ name }) => name.toLowerCase()));
  return [...named.filter(({ name }) => !ownNames.has(name.toLowerCase())), ...own];
}

function queryOf(query: string): Named[] | null {
  const named = grouped([...new URLSearchParams(query)], (name) => name);
  return named.length === 0 ? null : named;
}

function grouped(entries: readonly (readonly [string, string])[], identity: (name: string) => string): Named[] {
  const groups = new Map<string, Named>();
  for (const [name, value] of entries) {
    const group = groups.get(identity(name));
    if (group === undefined) groups.set(identity(name), { name, values: [value] });
    else group.values.push(value);
  }
  return [...groups.values()];
}

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index] ?? '', flat[2 * index + 1] ?? '']);
}

/** API Gateway takes a body without a content type for JSON. */
function isBinary(headers: readonly Named[]): boolean {
  const contentType = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.values.at(-1);
  return contentType !== undefined && !textTypes.test(contentType.trim());
}

/**
 * The address of the client: of the peer, IPv4-mapped ones in their plain form. Behind a load balancer the last address of
 * X-Forwarded-For, which it has written itself; all before that is the client's own word.
 */
export function sourceIpOf({
  trustedProxy,
  peerAddress,
  rawHeaders,
}: Pick<ReceivedRequest, 'trustedProxy' | 'peerAddress' | 'rawHeaders'>): string {
  const forwarded = pairs(rawHeaders).filter(([name]) => name.toLowerCase() === 'x-forwarded-for');
  const last = forwarded.at(-1)?.[1].split(',').at(-1)?.trim() ?? '';
  const address = trustedProxy === 'load-balancer' && isIP(last) !== 0 ? last : peerAddress;
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
