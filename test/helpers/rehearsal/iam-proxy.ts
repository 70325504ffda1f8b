import { hash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { authorizationOf, type KeyPair, refusalOf } from '../../../local/embedded/signature-v4.ts';
import type { NeededRight } from '../rights/calls.ts';
import { awsRequestOf } from './aws-request.ts';
import { played } from './key-services.ts';

export interface IamProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** @returns the reason why the function may not do it; null where its role allows it. */
export type Evaluate = (functionId: string, needed: NeededRight) => string | null;

/**
 * IAM in front of the embedded stores: a request passes, signed anew for its store, where its signature is right and the role of
 * the function that signed it allows it.
 * @param targets addresses of the stores by the service in the scope of signatures.
 */
export async function startIamProxy(targets: ReadonlyMap<string, string>, evaluate: Evaluate): Promise<IamProxy> {
  const server = createServer((request, response) => {
    pass(request, response, targets, evaluate).catch((error: unknown) => {
      console.error('The IAM proxy failed:', error);
      response.destroy();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  targets: ReadonlyMap<string, string>,
  evaluate: Evaluate,
): Promise<void> {
  const body = await buffer(request);
  const { method = '', url: target = '', headers } = request;
  // A page asks first whether it may send; that is not a call.
  if (method === 'OPTIONS') return forward(response, targets.get('s3')!, { method, target, headers, body });
  const { service, scope, functionId, rights } = awsRequestOf(method, target, headers, body);
  const payloadHash = service === 's3' ? {} : { payloadHash: hash('sha256', body) };
  const wrong = refusalOf({ service, method, target, headers, ...payloadHash }, storeKey(), Date.now());
  if (wrong !== null) return deny(response, service, wrong.message);
  const denials = rights.map((needed) => evaluate(functionId, needed)).filter((denial) => denial !== null);
  if (denials.length > 0) return deny(response, service, denials[0]!);
  const play = played[service];
  if (play === undefined) {
    const store = targets.get(service)!;
    return forward(response, store, signedFor(store, { method, target, headers, body }, service, scope));
  }
  const operation = String(headers['x-amz-target']).split('.').at(-1)!;
  const answer = await play(operation, JSON.parse(body.toString()));
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
}

interface Forwarded {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The same request, as the store's own client would send it. */
function signedFor(store: string, request: Forwarded, service: string, scope: readonly string[]): Forwarded {
  const url = new URL(request.target, store);
  // What a presigned address has in its query, the header says now.
  const isPresigned = url.searchParams.has('X-Amz-Signature');
  const target = isPresigned ? url.pathname : request.target;
  const { authorization: _, 'x-amz-security-token': __, ...kept } = request.headers;
  const headers: IncomingHttpHeaders = {
    ...kept,
    host: url.host,
    'x-amz-date': kept['x-amz-date'] ?? url.searchParams.get('X-Amz-Date') ?? '',
    ...(service === 's3' && { 'x-amz-content-sha256': kept['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD' }),
  };
  const payloadHash = service === 's3' ? {} : { payloadHash: hash('sha256', request.body) };
  const signed = { service, method: request.method, target, headers, ...payloadHash };
  return { ...request, target, headers: { ...headers, authorization: authorizationOf(signed, scope, storeKey()) } };
}

/** The one key of the embedded stores. */
function storeKey(): KeyPair {
  return { accessKeyId: process.env.AWS_ACCESS_KEY_ID!, secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY! };
}

function forward(response: ServerResponse, store: string, { method, target, headers, body }: Forwarded): void {
  const { hostname, port } = new URL(store);
  const forwarded = send({ hostname, port, method, path: target, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  response.on('close', () => forwarded.destroy());
  forwarded.end(body);
}

/** As each protocol refuses. */
function deny(response: ServerResponse, service: string, message: string): void {
  if (service === 's3')
    response
      .writeHead(403, { 'content-type': 'application/xml' })
      .end(`<Error><Code>AccessDenied</Code><Message>${message.replaceAll('<', '&lt;')}</Message></Error>`);
  else
    response
      .writeHead(400, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': 'AccessDeniedException' })
      .end(JSON.stringify({ __type: 'AccessDeniedException', message }));
}
