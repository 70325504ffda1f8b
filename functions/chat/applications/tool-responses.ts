import type * as z from 'zod';
import { withoutTrailingSlashes } from '../../shared/without-trailing-slashes.ts';
import type { ToolDraft } from '../domain/tools/seal-tools.ts';
import type { ToolConfig } from '../domain/tools/tool-config.ts';
import type { shownTools, tools } from './tool-schemas.ts';

export function toToolDraft(tool: z.output<typeof tools>[number]): ToolDraft {
  switch (tool.type) {
    case 'http': {
      const { type, name, description, openapi, operation_id: operationId, server, headers } = tool;
      return {
        type,
        name,
        description,
        openapi,
        operationId,
        server: server && withoutTrailingSlashes(server),
        headers,
      };
    }
    case 'mcp': {
      const { type, name, server, allowed_tools: allowedTools, headers } = tool;
      return { type, name, server, allowedTools: allowedTools ?? null, headers };
    }
    default:
      return tool;
  }
}

export function toToolResponse(tool: ToolConfig): z.output<typeof shownTools>[number] {
  switch (tool.type) {
    case 'http': {
      const { type, name, description, server, operation, headers } = tool;
      const { operationId: operation_id, method, path, schema: parameters } = operation;
      const names = [...(headers?.names ?? [])];
      return {
        type,
        name,
        description,
        operation_id,
        method,
        path,
        server,
        headers: names,
        parameters: { ...parameters },
      };
    }
    case 'mcp': {
      const { type, name, server, allowedTools, headers } = tool;
      const allowed_tools = allowedTools && [...allowedTools];
      return { type, name, server, allowed_tools, headers: [...(headers?.names ?? [])] };
    }
    default:
      return tool;
  }
}
