import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import type { EndpointContext } from '../../shared/http/http-middleware.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { publicHttp, sockets } from '../../wiring/chat/chat.ts';
import { secretBox } from '../../wiring/shared/secret-box.ts';
import { accessTokens } from '../domain/access-tokens.ts';
import { type SocketHolder, socketContext, socketHolders } from '../domain/sockets.ts';
import { connectSocketRoute } from '../sockets/routes.ts';
import {
  BEARER_PROTOCOL,
  handshakeHeader,
  handshakeToken,
  requestEvent,
  type SocketEvent,
} from '../sockets/socket-event.ts';

const ports = { sockets: sockets(), secrets: secretBox() };

const authenticate = bufferedHandler(
  pipeline(connectSocketRoute, publicHttp, async ({ principal }) => ({ status: 200, body: socketHolders(principal) })),
);

const TOO_MANY = 'Too many connections are open. Close one first.';

/** Of `$connect`: a connection comes about when this answers 200. */
export async function handler(event: SocketEvent, context: EndpointContext) {
  const { connectionId, requestId, identity } = event.requestContext;
  const { token, byProtocol } = handshakeToken(event);
  const origin = handshakeHeader(event, 'origin');
  const [sourceAddress, userAgent] = [identity.sourceIp, identity.userAgent ?? null];
  const request = requestEvent(connectSocketRoute, {
    requestId,
    sourceAddress,
    userAgent,
    origin,
    token,
    pathParameters: { connection_id: connectionId, ...(accessTokens.matches(token) && { application_id: token }) },
  });
  const { statusCode, body } = await authenticate(request, context);
  if (statusCode !== 200) return { statusCode, body };
  const sealedToken = await ports.secrets.seal(token, socketContext(connectionId));
  const holders = JSON.parse(body) as SocketHolder[];
  const isOpen = await ports.sockets.open({ connectionId, sealedToken, sourceAddress, userAgent, origin, holders });
  if (!isOpen) return { statusCode: 429, body: TOO_MANY };
  return { statusCode: 200, headers: byProtocol ? { 'Sec-WebSocket-Protocol': BEARER_PROTOCOL } : {} };
}
