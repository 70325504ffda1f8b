import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestService } from './service.ts';

type Service = Pick<TestService, 'baseUrl' | 'apiKey'>;

export const MCP_PATH = '/mcp';

/** The official client, connected with a URL and a header. @param mode of the protocol's revisions; by default the newest */
export async function connect(service: Service, { mode = 'modern', key = service.apiKey } = {}): Promise<Client> {
  const versionNegotiation = { mode: mode === 'modern' ? { pin: '2026-07-28' } : 'legacy' } as const;
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(MCP_PATH, service.baseUrl), { requestInit: { headers } }),
  );
  return client;
}

/** A result of a tool, with the problem of a refused call. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string; readonly mimeType?: string }[];
  readonly structuredContent: Record<string, never> & {
    readonly error?: { readonly status: number; readonly code: string; readonly message: string };
  };
}

/** Calls a tool with a new client. */
export async function callTool(service: Service, name: string, args: object, key?: string): Promise<ToolAnswer> {
  const client = await connect(service, key === undefined ? {} : { key });
  try {
    return (await client.callTool({ name, arguments: { ...args } })) as unknown as ToolAnswer;
  } finally {
    await client.close();
  }
}

/** Status and code of a refused call. */
export const refusedAs = ({ isError, structuredContent: { error } }: ToolAnswer) => [
  isError,
  error?.status,
  error?.code,
];

/** A message as it is sent by hand, of the revisions before 2026. */
export const rpc = (method: string, params: object = {}, id: number | string = 1) => ({
  ...{ jsonrpc: '2.0', id, method, params },
});
