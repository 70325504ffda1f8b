import { completionAccess } from '../chat/completions/routes.ts';
import { EXECUTE_REQUEST } from '../sandbox/execute-request.ts';
import { executeRoute } from '../sandbox/routes.ts';
import { invoke } from '../shared/access.ts';
import type { Route } from '../shared/http/route.ts';
import { message, messageHeaders, reply } from './schemas.ts';

const PATH = '/mcp';

/** A body for Lambda, whose event has at most 6 MB. */
const bodyLimit = {
  maxBytes: 6 * 1024 * 1024,
  advice:
    'Send files by POST /api/v1/execute/uploads and images by POST /api/v1/uploads, and name their addresses in the arguments.',
} as const;

export const postMessageRoute = {
  id: 'mcp.post-message',
  method: 'POST',
  path: PATH,
  auth: ['api-key'],
  errors: 'json-rpc',
  doc: {
    summary: 'The Model Context Protocol: tools for agents',
    description:
      'Streamable HTTP without sessions, revision 2026-07-28; clients of the revisions of 2024 and 2025 are served too. One JSON-RPC message a ' +
      'request, answered as JSON. tools/list names the tools that the API key may use: run_program, read_drug_table, ' +
      'search_knowledge, and one for each application whose config.mcp.enabled is true. tools/call checks, limits and charges as the REST ' +
      'route of the tool does; its errors are results with isError, a text, and structuredContent.error with status, code and message. ' +
      'Errors of the request itself have an HTTP status and a JSON-RPC error. Closing the connection cancels the call.',
  },
  stream: true,
  headers: messageHeaders,
  body: message,
  bodyLimit,
  responses: {
    200: { description: 'The JSON-RPC response to a request', schema: reply },
    202: { description: 'A notification was taken' },
    403: { description: 'forbidden: the page that calls is of an origin that this deployment does not name' },
    404: { description: 'A JSON-RPC error: there is no such method (-32601)' },
    406: { description: 'A JSON-RPC error: the client does not accept JSON' },
  },
  // As long as the longest program, and as large as an application's answer.
  limits: { timeoutSeconds: executeRoute.limits.timeoutSeconds, memoryMb: 1024 },
  access: [...completionAccess, invoke(EXECUTE_REQUEST)],
} as const satisfies Route;

const withoutStream = {
  path: PATH,
  auth: [],
  errors: 'json-rpc',
  responses: { 405: { description: 'method_not_allowed: use POST' } },
  limits: { timeoutSeconds: 10, memoryMb: 128 },
  access: [],
} as const satisfies Partial<Route>;

export const getStreamRoute = {
  ...withoutStream,
  id: 'mcp.get-stream',
  method: 'GET',
  doc: {
    summary: 'Always 405: the MCP endpoint opens no streams',
    description: 'As the protocol asks of a server without sessions. Clients of earlier revisions continue with POST.',
  },
} as const satisfies Route;

export const removeSessionRoute = {
  ...withoutStream,
  id: 'mcp.remove-session',
  method: 'DELETE',
  doc: { summary: 'Always 405: the MCP endpoint keeps no sessions' },
} as const satisfies Route;

export const mcpRoutes: readonly Route[] = [postMessageRoute, getStreamRoute, removeSessionRoute];
