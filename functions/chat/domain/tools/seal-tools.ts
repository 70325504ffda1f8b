import type { ModelAddresses } from '../../../shared/ports/model-addresses.ts';
import type { SecretBox } from '../../../shared/ports/secret-box.ts';
import { withoutTrailingSlashes } from '../../../shared/without-trailing-slashes.ts';
import { ApplicationRefused } from '../application-refused.ts';
import { findOperation, OperationRefused } from './openapi-operation.ts';
import { TOOL_NAME } from './tool.ts';
import {
  type BuiltInToolConfig,
  type HttpToolConfig,
  type McpToolConfig,
  type SealedHeaders,
  serverOf,
  type ToolConfig,
} from './tool-config.ts';

/** A tool as a client describes it. Absent headers keep the stored ones of the same server, as a model keeps its key. */
export type ToolDraft = HttpToolDraft | McpToolDraft | BuiltInToolConfig;

export interface HttpToolDraft {
  readonly type: 'http';
  /** Absent: the operation's id. */
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** Absent: the stored operation of the same id stays. */
  readonly openapi: Readonly<Record<string, unknown>> | undefined;
  readonly operationId: string;
  /** Absent: the first of the document. */
  readonly server: string | undefined;
  readonly headers: HeadersDraft;
}

export interface McpToolDraft extends Omit<McpToolConfig, 'headers'> {
  readonly headers: HeadersDraft;
}

/** Null for none; absent: as stored. */
export type HeadersDraft = Readonly<Record<string, string>> | null | undefined;

export interface SealToolPorts {
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly addresses: ModelAddresses;
  /** False: the deployment has no provider of web search. */
  readonly hasWebSearch: () => boolean;
}

/** An application is stored in one piece, of at most 400 KB. */
const MAX_STORED_LENGTH = 200_000;

/** The tools of `drafts`, with their operations found and their headers sealed. @throws ApplicationRefused */
export async function sealTools(
  drafts: readonly ToolDraft[],
  stored: readonly ToolConfig[],
  secretContext: string,
  ports: SealToolPorts,
): Promise<readonly ToolConfig[]> {
  const tools = drafts.map((draft, index) => fieldRefusals(index, () => located(draft, stored)));
  tools.forEach(({ name }, index) => {
    if (tools.findIndex((other) => other.name === name) !== index)
      throw refused(index, `name: ${name} is the name of another tool of the application`);
  });
  const sealed = await Promise.all(
    tools.map(async (tool, index): Promise<ToolConfig> => {
      const draft = drafts[index]!;
      if (draft.type === 'web_search' && !ports.hasWebSearch())
        throw refused(
          index,
          'type: web_search needs a search provider, and the operator of this service has set up none. Remove the tool',
        );
      if (draft.type !== 'http' && draft.type !== 'mcp') return draft;
      const server = serverOf(tool)!;
      const refusal = ports.addresses.refusalOf(server);
      if (refusal !== null) throw refused(index, `server ${refusal}`);
      const known = stored.find((other) => other.type === tool.type && serverOf(other) === server);
      const kept = known && 'headers' in known ? known.headers : null;
      const headers = draft.headers === undefined ? kept : await sealedHeaders(draft.headers, secretContext, ports);
      return { ...(tool as HttpToolConfig | McpToolConfig), headers };
    }),
  );
  if (JSON.stringify(sealed).length > MAX_STORED_LENGTH)
    throw new ApplicationRefused(
      'invalid_tool',
      `config.tools: their descriptions have more than ${MAX_STORED_LENGTH} characters in all. Leave some out.`,
    );
  return sealed;
}

/** The tool, but for its headers. @throws OperationRefused */
function located(draft: ToolDraft, stored: readonly ToolConfig[]): ToolConfig {
  if (draft.type !== 'http') return draft.type === 'mcp' ? { ...draft, headers: null } : draft;
  const { openapi, operationId, headers } = draft;
  if (openapi === undefined) {
    const isMeant = (tool: ToolConfig): tool is HttpToolConfig =>
      tool.type === 'http' &&
      tool.operation.operationId === operationId &&
      (draft.server === undefined || tool.server === draft.server);
    const kept = stored.find(isMeant);
    if (kept === undefined) throw new OperationRefused('is needed: the document that describes the operation');
    const { name = kept.name, description = kept.description } = draft;
    return { ...kept, name, description };
  }
  const fixed = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
  const found = findOperation(openapi, operationId, fixed);
  const { name = operationId.replaceAll(/[^\w-]+/g, '_').slice(0, 64), description = found.description } = draft;
  const server = draft.server ?? (found.server === null ? null : withoutTrailingSlashes(found.server));
  if (server === null) throw new OperationRefused('names no server: send its address as server');
  if (!TOOL_NAME.test(name)) throw new OperationRefused(`has no name for the tool: send one as name`);
  return { type: 'http', name, description, server, operation: found.operation, headers: null };
}

async function sealedHeaders(
  headers: Readonly<Record<string, string>> | null,
  secretContext: string,
  { secrets }: SealToolPorts,
): Promise<SealedHeaders | null> {
  const names = Object.keys(headers ?? {});
  if (headers === null || names.length === 0) return null;
  return { names, values: await secrets.seal(JSON.stringify(headers), secretContext) };
}

function fieldRefusals<T>(index: number, find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof OperationRefused ? refused(index, `openapi ${error.message}`) : error;
  }
}

function refused(index: number, what: string): ApplicationRefused {
  return new ApplicationRefused('invalid_tool', `config.tools.${index}.${what}.`);
}
