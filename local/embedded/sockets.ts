import { randomBytes, randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { MAX_MESSAGE_BYTES } from '../../functions/chat/sockets/messages.ts';
import { socketWorkers } from '../../functions/chat/workers.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { loadHandler } from '../../gateway/handler-modules.ts';
import { lambdaContext } from '../../gateway/lambda-context.ts';
import { readSigned } from './json-service.ts';
import { listenOnLoopback } from './loopback.ts';
import type { KeyPair } from './signature-v4.ts';

/** As API Gateway has it of a message to a client. */
const MAX_SENT_BYTES = 128 * 1024;
/** Messages of a connection that functions work on at a time: a client is not quicker than the service. */
const MAX_RUNNING = 4;
const CONNECTION_PATH = /^\/(?:@|%40)connections\/([\w-]+)$/;
const PATH = '/api/v1/ws';

export interface EmbeddedSockets {
  /** Of the service that sends to clients. */
  readonly url: string;
  /** Takes a request to become a WebSocket. @returns false for another path */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, sourceIp: string): boolean;
  stop(): Promise<void>;
}

/** API Gateway's WebSockets: connections of clients, and the service by which functions send to them. */
export async function startSockets(key: KeyPair): Promise<EmbeddedSockets> {
  const server = new WebSocketServer({
    noServer: true,
    // API Gateway takes frames of so much, and browsers send a message as one frame.
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (protocols) => (protocols.has('bearer') ? 'bearer' : false),
  });
  const connections = new Map<string, WebSocket>();
  const { url, stop } = await listenOnLoopback((request, response) => {
    manage(request, response).catch((error: unknown) => {
      console.error('embedded sockets failed:', error);
      response.destroy();
    });
  });

  /** The service of API Gateway that functions call. */
  async function manage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readSigned(request, { name: 'execute-api', key, maxBodyBytes: MAX_SENT_BYTES });
    if (read.kind !== 'signed') return void response.writeHead(read.kind === 'refused' ? 403 : 413).end('{}');
    const connection = connections.get(CONNECTION_PATH.exec(request.url ?? '')?.[1] ?? '');
    const isOpen = connection?.readyState === connection?.OPEN && connection !== undefined;
    if (!isOpen) return void response.writeHead(410, { 'x-amzn-errortype': 'GoneException' }).end('{}');
    // Answered when the message is on its way: a sender is not quicker than its client.
    if (request.method === 'DELETE') connection.close(1008);
    else if (request.method === 'POST') await new Promise<void>((sent) => connection.send(read.body, () => sent()));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  async function invoke(worker: Worker, event: object): Promise<{ statusCode: number; headers?: object }> {
    const handler = await loadHandler(worker);
    const deadlineMs = Date.now() + worker.limits.timeoutSeconds * 1000;
    const signal = AbortSignal.timeout(worker.limits.timeoutSeconds * 1000);
    return (await handler(event, lambdaContext(worker, randomUUID(), deadlineMs, signal))) as { statusCode: number };
  }

  const eventOf = (routeKey: string, connectionId: string, sourceIp: string, userAgent: string | undefined) => ({
    requestContext: {
      ...{ routeKey, connectionId, requestId: randomUUID(), apiId: 'local', stage: 'local' },
      identity: { sourceIp, userAgent: userAgent ?? null },
    },
  });

  async function connect(request: IncomingMessage, socket: Duplex, head: Buffer, sourceIp: string): Promise<void> {
    const connectionId = randomBytes(12).toString('base64url').replaceAll('-', '_');
    const userAgent = request.headers['user-agent'];
    const event = (routeKey: string) => eventOf(routeKey, connectionId, sourceIp, userAgent);
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const { statusCode } = await invoke(socketWorkers.$connect, {
      ...event('$connect'),
      headers: request.headers,
      queryStringParameters: query.size === 0 ? null : Object.fromEntries(query),
    });
    if (statusCode !== 200) return refuse(socket, statusCode);
    server.handleUpgrade(request, socket, head, (connection) => {
      connections.set(connectionId, connection);
      const waiting: string[] = [];
      let running = 0;
      const work = async () => {
        if (running === MAX_RUNNING) return;
        running += 1;
        for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
          if (connection.readyState !== connection.OPEN) continue;
          try {
            await invoke(socketWorkers.$default, { ...event('$default'), body: text });
          } catch (error) {
            console.error('A message of a WebSocket failed:', error);
            connection.send(JSON.stringify({ message: 'Internal server error', connectionId }));
          }
        }
        running -= 1;
        connection.resume();
      };
      connection.on('message', (data) => {
        waiting.push(String(data));
        // What the network has brought already still comes.
        if (running === MAX_RUNNING) connection.pause();
        void work();
      });
      connection.on('error', () => undefined);
      connection.once('close', () => {
        connections.delete(connectionId);
        invoke(socketWorkers.$disconnect, event('$disconnect')).catch(() => undefined);
      });
    });
  }

  return {
    url,
    upgrade(request, socket, head, sourceIp) {
      if (request.url?.split('?')[0] !== PATH) return false;
      connect(request, socket, head, sourceIp).catch((error: unknown) => {
        console.error('A WebSocket could not be opened:', error);
        refuse(socket, 502);
      });
      return true;
    },
    async stop() {
      for (const connection of connections.values()) connection.terminate();
      server.close();
      await stop();
    },
  };
}

export function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
