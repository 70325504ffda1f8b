import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { WholeReply } from '../shared/http/reply.ts';
import type { Toolset } from './toolset.ts';

const INSTRUCTIONS =
  'Tools of one workspace of the platform. Calls may be charged to its balance. A result with isError says what to do in its text.';

export interface McpMessage {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: { readonly id?: string | number | undefined; readonly method?: string | undefined };
}

/** Answers one message by the protocol's library, which keeps nothing between two of them. */
export async function answerMessage({ url, headers, body }: McpMessage, tools: Toolset, version: string) {
  // A subscription would hold the connection, and the tools of a workspace are listed anew by each request.
  if (body.method === 'subscriptions/listen') return methodNotFound(body);
  const request = new Request(url, { method: 'POST', headers: protocolHeaders(headers) });
  const server = () => toolServer(tools, version);
  if (!(await isLegacyRequest(request, body)))
    return replyOf(await createMcpHandler(server, { legacy: 'reject' }).fetch(request, { parsedBody: body }));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const serving = server();
  await serving.connect(transport);
  try {
    return await replyOf(await transport.handleRequest(request, { parsedBody: body }));
  } finally {
    await serving.close();
  }
}

function toolServer(tools: Toolset, version: string): Server {
  const server = new Server(
    { name: 'tripod', title: 'Tripod', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: await tools.list() }) as never);
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const result = await tools.call(name, args);
    if (result === null)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool ${JSON.stringify(name.slice(0, 100))}. tools/list names those of this workspace.`,
      );
    return result as never;
  });
  return server;
}

/** Answers are JSON for every client, so that curl need not name the media type of streams. */
function protocolHeaders(sent: Readonly<Record<string, string | undefined>>): Headers {
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) headers.set(name, value);
  return headers;
}

async function replyOf(response: Response): Promise<WholeReply> {
  const text = await response.text();
  const type = response.headers.get('content-type');
  return { status: response.status, ...(type !== null && { headers: { 'content-type': type } }), text };
}

function methodNotFound({ id, method }: McpMessage['body']) {
  const error = { code: -32_601, message: `There is no method ${method} here.` };
  return { status: 404, body: { jsonrpc: '2.0', id: id ?? null, error } } satisfies WholeReply;
}
