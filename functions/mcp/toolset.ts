import * as z from 'zod';
import { completeChatRoute } from '../chat/completions/routes.ts';
import { authorize } from '../shared/http/authenticate.ts';
import { Problem } from '../shared/http/problem.ts';
import type { Principal } from '../shared/principal.ts';
import type { Answer, OuterRequest, RouteCall } from './call-route.ts';
import { askTools, type SharedApplication } from './tools/ask-application.ts';
import { readDrugTable } from './tools/read-drug-table.ts';
import { runProgram } from './tools/run-program.ts';
import { searchKnowledge } from './tools/search-knowledge.ts';
import type { ToolDefinition, ToolKind, ToolOutput } from './tools/tool.ts';

/** The tools that are not made from what a workspace has. */
const FIXED = [runProgram, readDrugTable, searchKnowledge] as const;

export interface ToolPorts {
  readonly routes: Readonly<Record<ToolKind, RouteCall>>;
  readonly applicationsOf: (workspaceId: string) => Promise<readonly SharedApplication[]>;
}

/** The result of a call in the protocol's form. */
export type ToolResult = ToolOutput & { readonly isError?: true };

/** The tools of the caller's workspace, as its credential may use them. */
export class Toolset {
  readonly #outer: OuterRequest;
  readonly #ports: ToolPorts;

  constructor(outer: OuterRequest, ports: ToolPorts) {
    this.#outer = outer;
    this.#ports = ports;
  }

  /** In the form of tools/list. */
  async list() {
    const { principal } = this.#outer;
    const asks = mayUse(principal, completeChatRoute) ? await this.#askTools() : [];
    return [...FIXED.filter(({ route }) => mayUse(principal, route)), ...asks].map(listed);
  }

  /** @returns null for an unknown tool, also for an application that is not shared or belongs to another workspace. */
  async call(name: string, args: unknown): Promise<ToolResult | null> {
    const tool =
      FIXED.find((each) => each.name === name) ?? (await this.#askTools()).find((each) => each.name === name);
    if (tool === undefined) return null;
    try {
      const answer = await this.#ports.routes[tool.kind](tool.toInput(args), this.#outer);
      return answer.status === 200 ? tool.toOutput(answer.body) : refusal(problemOf(answer));
    } catch (error) {
      if (error instanceof Problem) return refusal(error);
      throw error;
    }
  }

  async #askTools(): Promise<readonly ToolDefinition[]> {
    return askTools(await this.#ports.applicationsOf(this.#outer.principal.workspaceId));
  }
}

function mayUse(principal: Principal, route: ToolDefinition['route']): boolean {
  try {
    authorize(principal, route);
    return true;
  } catch {
    return false;
  }
}

function listed({ name, title, description, arguments: schema, isReadOnly, isOpenWorld }: ToolDefinition) {
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(schema),
    annotations: { title, readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: isOpenWorld },
  };
}

const schemas = new WeakMap<z.ZodType, { readonly type: 'object'; readonly [member: string]: unknown }>();

function inputSchemaOf(schema: z.ZodType) {
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const input = { ...made, type: 'object' } as const;
  schemas.set(schema, input);
  return input;
}

/** A refusal as a model and a program read it. */
interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
}

function problemOf({ status, headers, body }: Answer): Refused {
  const { error } = body as { readonly error: Omit<Refused, 'status'> };
  const retryAfter = headers['retry-after'];
  return { status, ...error, ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }) };
}

function refusal({ status, code, message, details, requestId, retryAfterSeconds }: Refused): ToolResult {
  const error = {
    status,
    code,
    message,
    ...(details && { details }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
  return {
    content: [{ type: 'text', text: `${code} (${status}): ${message}` }],
    structuredContent: { error },
    isError: true,
  };
}
