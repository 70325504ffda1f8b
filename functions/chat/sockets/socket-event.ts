import type { APIGatewayProxyEvent } from 'aws-lambda';
import { accessTokens } from '../domain/access-tokens.ts';

/** API Gateway's event of a WebSocket, as far as it is read here. */
export interface SocketEvent {
  readonly requestContext: {
    readonly connectionId: string;
    readonly requestId: string;
    readonly apiId: string;
    readonly stage: string;
    readonly identity: { readonly sourceIp: string; readonly userAgent?: string | null };
  };
  /** Of the handshake alone. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly body?: string | null;
}

/** Subprotocol whose neighbour is the credential: browsers can set no header. */
export const BEARER_PROTOCOL = 'bearer';

/** The credential of a handshake: `?token=`, or `Sec-WebSocket-Protocol: bearer,<token>`, or the header Authorization. */
export function handshakeToken(event: SocketEvent): { readonly token: string; readonly byProtocol: boolean } {
  const named = (wanted: string) => handshakeHeader(event, wanted) ?? '';
  const [protocol, ...rest] = named('sec-websocket-protocol')
    .split(',')
    .map((word) => word.trim());
  if (protocol?.toLowerCase() === BEARER_PROTOCOL && rest[0]) return { token: rest[0], byProtocol: true };
  const token =
    event.queryStringParameters?.token || /^bearer\s+(\S+)$/i.exec(named('authorization').trim())?.[1] || '';
  return { token, byProtocol: false };
}

/** @param wanted in lower case. */
export function handshakeHeader({ headers }: Pick<SocketEvent, 'headers'>, wanted: string): string | null {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
}

export interface SocketRequest {
  readonly requestId: string;
  readonly sourceAddress: string;
  readonly userAgent: string | null;
  readonly origin: string | null;
  readonly token: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The request that an endpoint is asked for a socket: limits, credentials and checks are those of HTTP. */
export function requestEvent(
  { method, path }: { readonly method: string; readonly path: string },
  { requestId, sourceAddress, userAgent, origin, token, pathParameters, headers = {}, body }: SocketRequest,
): APIGatewayProxyEvent {
  return {
    httpMethod: method,
    path,
    resource: path,
    pathParameters,
    queryStringParameters: null,
    headers: {
      'content-type': 'application/json',
      ...(userAgent !== null && { 'user-agent': userAgent }),
      ...(origin !== null && { origin }),
      // A public token is part of the path, and not a bearer token.
      ...(token !== '' && !accessTokens.matches(token) && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body ?? null,
    isBase64Encoded: false,
    requestContext: { requestId, identity: { sourceIp: sourceAddress } },
  } as unknown as APIGatewayProxyEvent;
}
