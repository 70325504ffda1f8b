import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Tool, ToolFailed, type ToolResult } from '../../../chat/domain/tools/tool.ts';
import type { McpToolConfig } from '../../../chat/domain/tools/tool-config.ts';
import { MAX_VALUES, ValueCounter } from '../../../shared/bounded-json.ts';
import { FetchRefused } from '../../web/fetch-refused.ts';
import type { SafeFetch } from '../../web/safe-fetch.ts';
import { failureOfFetch, redacted } from './tool-failures.ts';

/** Of one answer of a server: JSON cannot be cut, so that a larger one is a failure. */
const MAX_BYTES = 4 * 1024 * 1024;
const LIST_TIMEOUT_MS = 10_000;
const CALL_TIMEOUT_MS = 60_000;
const MAX_TOOLS = 64;
const MAX_NAME_LENGTH = 64;
const MAX_SCHEMA_LENGTH = 16_000;
const MAX_DESCRIPTION_LENGTH = 1_000;

/** A tool as its server lists it. */
export interface ListedTool {
  /** On the server. */
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A remote server of the Model Context Protocol, through the official client and the safe fetch. */
export class McpServer {
  readonly #config: Pick<McpToolConfig, 'name' | 'server' | 'allowedTools'>;
  readonly #headers: () => Promise<Readonly<Record<string, string>>>;
  readonly #web: SafeFetch;

  constructor(
    config: Pick<McpToolConfig, 'name' | 'server' | 'allowedTools'>,
    headers: () => Promise<Readonly<Record<string, string>>>,
    web: SafeFetch,
  ) {
    this.#config = config;
    this.#headers = headers;
    this.#web = web;
  }

  /** @throws ToolFailed */
  async list(signal: AbortSignal): Promise<readonly ListedTool[]> {
    const { allowedTools } = this.#config;
    const { tools } = await this.#connected(signal, (client) =>
      client.listTools(undefined, { signal, timeout: LIST_TIMEOUT_MS }),
    );
    return tools
      .filter(({ name }) => allowedTools === null || allowedTools.includes(name))
      .filter(({ inputSchema }) => JSON.stringify(inputSchema).length <= MAX_SCHEMA_LENGTH)
      .slice(0, MAX_TOOLS)
      .map(({ name, description = '', inputSchema }) => ({
        name,
        description: description.slice(0, MAX_DESCRIPTION_LENGTH),
        parameters: inputSchema,
      }));
  }

  /** The tools as a model calls them. */
  toolsOf(listed: readonly ListedTool[]): readonly Tool[] {
    return listed.map(({ name, description, parameters }) => ({
      name: `${this.#config.name}_${name.replaceAll(/[^\w-]+/g, '_')}`.slice(0, MAX_NAME_LENGTH),
      description,
      parameters,
      run: (args, { signal }) => this.#call(name, args, signal),
    }));
  }

  async #call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult> {
    const { content, structuredContent, isError } = await this.#connected(signal, (client) =>
      client.callTool({ name, arguments: { ...args } }, { signal, timeout: CALL_TIMEOUT_MS }),
    );
    const texts = content.map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'resource' && 'text' in part.resource) return part.resource.text;
      return `[${part.type}]`;
    });
    const said = texts.length === 0 && structuredContent !== undefined ? [JSON.stringify(structuredContent)] : texts;
    const text = redacted(said.join('\n'), Object.values(await this.#headers()));
    if (isError) throw new ToolFailed('refused', text);
    return { text };
  }

  async #connected<T>(signal: AbortSignal, use: (client: Client) => Promise<T>): Promise<T> {
    const headers = await this.#headers();
    const client = new Client(
      { name: 'tripod', version: '1' },
      // A server's schema would be compiled to code, to check what that same server says.
      { versionNegotiation: { mode: 'auto' }, jsonSchemaValidator: { getValidator: () => valid } },
    );
    let refusal: unknown;
    const transport = new StreamableHTTPClientTransport(new URL(this.#config.server), {
      requestInit: { headers: { ...headers } },
      fetch: async (url, init) => {
        try {
          return await this.#fetch(url, init, signal, (error) => {
            refusal ??= error;
          });
        } catch (error) {
          refusal ??= error;
          throw error;
        }
      },
    });
    try {
      await client.connect(transport, { signal, timeout: LIST_TIMEOUT_MS });
      return await use(client);
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(refusal ?? error, Object.values(headers));
    } finally {
      await client.close().catch(() => undefined);
    }
  }

  async #fetch(
    url: string | URL,
    { method = 'GET', headers, body }: RequestInit = {},
    signal: AbortSignal,
    onRefusal: (error: unknown) => void,
  ): Promise<Response> {
    // The stream of a server's own messages: nothing here would read them.
    if (method === 'GET') return new Response(null, { status: 405 });
    const response = await this.#web.fetch(String(url), {
      method: method as 'POST' | 'DELETE',
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { body: Buffer.from(body) }),
      timeoutMs: CALL_TIMEOUT_MS,
      signal,
    });
    const { status, headers: sent, close } = response;
    const plain = Object.entries(sent).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    if ([204, 205, 304].includes(status)) {
      close();
      return new Response(null, { status, headers: plain });
    }
    return new Response(ReadableStream.from(bounded(response.body, onRefusal)), { status, headers: plain });
  }
}

const valid = (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }) as const;

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  onRefusal: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  const counter = new ValueCounter();
  try {
    for await (const chunk of body) {
      received += chunk.length;
      if (received > MAX_BYTES)
        throw new ToolFailed('failed', `The server's answer is larger than ${MAX_BYTES} bytes. Ask for less at once.`);
      for (const code of chunk) counter.add(code);
      if (counter.values > MAX_VALUES)
        throw new ToolFailed('failed', `The server's answer has more than ${MAX_VALUES} values. Ask for less at once.`);
      yield chunk;
    }
  } catch (error) {
    onRefusal(error);
    throw error;
  }
}

function failureOf(error: unknown, secrets: readonly string[]): unknown {
  if (error instanceof ToolFailed) return error;
  if (error instanceof FetchRefused) return failureOfFetch(error);
  if (error instanceof SdkHttpError)
    return new ToolFailed('unavailable', 'The MCP server does not accept the request; check its address and headers.', {
      cause: error,
    });
  // The server's own message is passed on: it is meant for the model.
  const message = error instanceof Error ? redacted(error.message, secrets).slice(0, 2_000) : 'no reason given';
  return new ToolFailed('failed', `The MCP server failed: ${message}`, { cause: error });
}
