import type { SealedSecret } from '../../../shared/ports/secret-box.ts';
import type { Operation } from './openapi-operation.ts';

/** A tool of an application, as it is stored. */
export type ToolConfig = HttpToolConfig | McpToolConfig | BuiltInToolConfig;

/** One operation of an OpenAPI document. */
export interface HttpToolConfig {
  readonly type: 'http';
  readonly name: string;
  readonly description: string;
  /** Base address of the operation's path. */
  readonly server: string;
  readonly operation: Operation;
  readonly headers: SealedHeaders | null;
}

/** The tools of a server of the Model Context Protocol, by streamable HTTP. */
export interface McpToolConfig {
  readonly type: 'mcp';
  /** Its tools' names start with it. */
  readonly name: string;
  readonly server: string;
  /** Only these of its tools; null: all. */
  readonly allowedTools: readonly string[] | null;
  readonly headers: SealedHeaders | null;
}

export const BUILT_IN_TOOLS = [
  ...['code_interpreter', 'chart', 'markdown_to_docx', 'markdown_to_pdf', 'read_drug_table'],
  ...['knowledge', 'web_fetch', 'web_search', 'time'],
] as const;
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];

/** Tools of the platform itself. */
export interface BuiltInToolConfig {
  readonly type: BuiltInTool;
  readonly name: string;
}

/** Tools that need nothing of an application: workflows call them without one. */
export const TOOLS_WITHOUT_APPLICATION: readonly BuiltInToolConfig[] = (
  ['code_interpreter', 'chart', 'markdown_to_docx', 'markdown_to_pdf', 'web_fetch', 'time'] as const
).map((type) => ({ type, name: type }));

/** Headers of every request to a server. Their values may be secrets, and are sealed together. */
export interface SealedHeaders {
  readonly names: readonly string[];
  readonly values: SealedSecret;
}

/** The server that a tool's headers go to; null for one without. */
export function serverOf(tool: ToolConfig): string | null {
  return tool.type === 'http' || tool.type === 'mcp' ? tool.server : null;
}
