import { type HttpRequest, httpRequest } from '../../functions/shared/http/api-request.ts';
import { proxyEvent } from '../../gateway/proxy-event.ts';
import { probeRoute } from './probe-gateway.ts';

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly query?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** A request, as the pipeline gets it of the gateway. */
export function requestOf({ headers = {}, body = '', query = '', pathParameters }: Sent): HttpRequest {
  const event = proxyEvent(probeRoute, {
    requestId: 'req-1',
    receivedAtMs: 0,
    method: 'POST',
    path: '/',
    query,
    rawHeaders: Object.entries({ 'content-type': 'application/json', ...headers }).flat(),
    peerAddress: '192.0.2.1',
    port: 3000,
    trustedProxy: 'none',
    pathParameters: pathParameters ?? null,
    body: Buffer.from(body),
  });
  return httpRequest(event, {
    awsRequestId: 'aws-1',
    deadlineMs: Date.now() + 10_000,
    signal: new AbortController().signal,
    background: (work) => void work,
  });
}
