import { secretBox } from '../../secret-box.ts';
import { type EndpointContext, pipeline } from '../../shared/http/pipeline.ts';
import { type HttpResponse, responseHead } from '../../shared/http/reply.ts';
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
import { publicHttp, sockets } from '../wiring.ts';

const ports = { sockets: sockets(), secrets: secretBox() };

const endpoint = pipeline(connectSocketRoute, publicHttp, async ({ principal }) => ({
  status: 200,
  body: socketHolders(principal),
}));

const TOO_MANY = 'Too many connections are open. Close one first.';

/** Of `$connect`: a connection comes about when this answers 200. */
export async function handler(event: SocketEvent, context: EndpointContext) {
  const { connectionId, requestId, identity } = event.requestContext;
  const { token, byProtocol } = handshakeToken(event);
  const origin = handshakeHeader(event, 'origin');
  const [sourceAddress, userAgent] = [identity.sourceIp, identity.userAgent ?? null];
  const request = requestEvent(connectSocketRoute, {
    ...{ requestId, sourceAddress, userAgent, origin, token },
    pathParameters: { connection_id: connectionId, ...(accessTokens.matches(token) && { application_id: token }) },
  });
  let response: HttpResponse | undefined;
  await endpoint(request, context, async (sent) => {
    response = sent;
  });
  const { statusCode } = responseHead(response!);
  if (statusCode !== 200) return { statusCode, body: response!.body as string };
  const sealedToken = await ports.secrets.seal(token, socketContext(connectionId));
  const holders = JSON.parse(response!.body as string) as SocketHolder[];
  const isOpen = await ports.sockets.open({ connectionId, sealedToken, sourceAddress, userAgent, origin, holders });
  if (!isOpen) return { statusCode: 429, body: TOO_MANY };
  return { statusCode: 200, headers: byProtocol ? { 'Sec-WebSocket-Protocol': BEARER_PROTOCOL } : {} };
}
