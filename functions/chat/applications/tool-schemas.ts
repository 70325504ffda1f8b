import * as z from 'zod';
import { TOOL_NAME } from '../domain/tools/tool.ts';
import { BUILT_IN_TOOLS } from '../domain/tools/tool-config.ts';

/** The tools of an application, as clients describe and see them. */

const MAX_TOOLS = 32;
const MAX_HEADERS = 20;
/** Of the Model Context Protocol: the tools' own names follow. */
const SERVER_NAME = /^[A-Za-z0-9-]{1,32}$/;

const toolName = z.string().regex(TOOL_NAME, 'must be 1 to 64 letters, digits, _ and -');
const server = z.url('must be an address such as https://api.example.com').max(2_000);
const headers = z
  .record(
    z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header'),
    z.string().regex(/^[\x20-\x7e]{1,4000}$/, 'must be 1 to 4000 ASCII characters'),
  )
  .refine((all) => Object.keys(all).length <= MAX_HEADERS, `at most ${MAX_HEADERS}`)
  .nullish()
  .describe('Sent with every request; stored encrypted and never returned. Absent: the stored ones of the server stay');

const httpTool = z.strictObject({
  type: z.literal('http'),
  name: toolName.optional().describe('By default the operation’s id'),
  description: z.string().max(1_000).optional().describe('For the model; by default the operation’s own'),
  openapi: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The OpenAPI document (3.0 or 3.1) as JSON; only the operation is kept. Absent: the stored operation stays',
    ),
  operation_id: z.string().min(1).max(200),
  server: server.optional().describe('By default the first server of the document'),
  headers,
});

const mcpTool = z.strictObject({
  type: z.literal('mcp'),
  name: z
    .string()
    .regex(SERVER_NAME, 'must be 1 to 32 letters, digits and -')
    .describe('Of the server; the names of its tools start with it'),
  server: server.describe('Address of a remote MCP server, by streamable HTTP'),
  allowed_tools: z.array(z.string().max(128)).max(128).nullish().describe('Of its tools only these; absent: all'),
  headers,
});

const builtIn = <const Type extends string>(type: Type) =>
  z.strictObject({ type: z.literal(type), name: toolName.default(type) });

export const tools = z
  .array(z.discriminatedUnion('type', [httpTool, mcpTool, ...BUILT_IN_TOOLS.map(builtIn)]))
  .max(MAX_TOOLS, `at most ${MAX_TOOLS}`)
  .describe(
    'Run on our side when the model calls them. http: one operation of an OpenAPI document; mcp: the tools of a server of ' +
      'the Model Context Protocol; code_interpreter: programs in the sandbox; chart: pictures of charts; markdown_to_docx, ' +
      'markdown_to_pdf: documents of Word and PDF; read_drug_table: extraction from an image of ' +
      'the conversation, charged as a call of it; knowledge: the application’s knowledge bases, with questions of the model’s own; ' +
      'web_fetch: the text of a page on the public internet; web_search: results of the operator’s search provider; time: the time in a zone',
  );

const headerNames = z.array(z.string()).describe('Their values are never returned');

const shownBuiltIn = <const Type extends string>(type: Type) => z.object({ type: z.literal(type), name: z.string() });

export const shownTools = z.array(
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('http'),
      name: z.string(),
      description: z.string(),
      operation_id: z.string(),
      method: z.string(),
      path: z.string(),
      server: z.string(),
      headers: headerNames,
      parameters: z.record(z.string(), z.unknown()).describe('JSON schema of the arguments'),
    }),
    z.object({
      type: z.literal('mcp'),
      name: z.string(),
      server: z.string(),
      allowed_tools: z.array(z.string()).nullable(),
      headers: headerNames,
    }),
    ...BUILT_IN_TOOLS.map(shownBuiltIn),
  ]),
);
