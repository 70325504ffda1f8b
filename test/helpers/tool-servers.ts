import http, { type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

export interface ToolServer {
  readonly url: string;
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  stop(): Promise<void>;
}

/** A server on loopback that keeps what it is asked. */
export async function toolServer(
  answer: (request: Request, response: http.ServerResponse) => void | Promise<void>,
): Promise<ToolServer> {
  const requests: ToolServer['requests'] = [];
  const listener: RequestListener = async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = incoming;
    const body = Buffer.concat(chunks).toString();
    requests.push({ method, url, headers, body });
    const request = new Request(`http://127.0.0.1${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ...(body !== '' && { body }),
    });
    await answer(request, response);
  };
  const server = http.createServer((...both) => void listener(...both));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** A server of the Model Context Protocol, made with the official library. */
export function mcpServer(): Promise<ToolServer> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'test', version: '1' });
    server.registerTool(
      'add',
      { description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
    );
    server.registerTool('fail', { description: 'Fails' }, async () => ({
      content: [{ type: 'text', text: 'no such thing' }],
      isError: true,
    }));
    server.registerTool('flood', { description: 'Says too much' }, async () => ({
      content: [{ type: 'text', text: 'x'.repeat(50_000_000) }],
    }));
    return server;
  });
  return toolServer(async (request, response) => {
    const answer = await handler.fetch(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
}

/** A document with one operation for each way of failing. */
export const WEATHER_API = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: {
    '/cities/{city}/weather': {
      parameters: [{ $ref: '#/components/parameters/City' }],
      get: {
        operationId: 'getWeather',
        summary: 'The weather of a city',
        parameters: [{ name: 'days', in: 'query', schema: { type: 'integer', minimum: 1 }, description: 'Days ahead' }],
      },
      post: {
        operationId: 'report',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Report' } } },
        },
      },
    },
    '/flood': { get: { operationId: 'flood' } },
    '/hang': { get: { operationId: 'hang' } },
    '/redirect': { get: { operationId: 'redirect' } },
  },
  components: {
    parameters: { City: { name: 'city', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      Report: {
        type: 'object',
        properties: { text: { type: 'string' }, answer: { $ref: '#/components/schemas/Report' } },
      },
    },
  },
};
