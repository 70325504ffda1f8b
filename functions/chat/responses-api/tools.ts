import { createHash } from 'node:crypto';
import type { ToolDefinition } from '../domain/chat-model.ts';
import type { ResponseBody } from './schemas.ts';

type ToolBody = NonNullable<ResponseBody['tools']>[number];
type CallableTool = Extract<ToolBody, { type: 'function' | 'custom' }>;

/** Longest name of a function that all providers take. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;

/** The tools of a request, in the form of models, which know no namespaces. */
export interface ResponseTools {
  readonly definitions: readonly ToolDefinition[];
  /** Types of the tools that are OpenAI's own, which no model here can call. */
  readonly leftOut: readonly string[];
  /** Name and namespace of a tool, by its name for the model. */
  readonly named: ReadonlyMap<string, { readonly name: string; readonly namespace: string }>;
}

export function toolsOf(tools: readonly ToolBody[] = []): ResponseTools {
  const definitions: ToolDefinition[] = [];
  const named = new Map<string, { name: string; namespace: string }>();
  const leftOut = new Set<string>();
  for (const tool of tools) {
    if (tool.type === 'hosted') leftOut.add(tool.hosted);
    else if (tool.type !== 'namespace') definitions.push(toDefinition(tool));
    else
      for (const inner of tool.tools) {
        if (inner.type === 'hosted') {
          leftOut.add(inner.hosted);
          continue;
        }
        const name = flatName(inner.name, tool.name);
        named.set(name, { name: inner.name, namespace: tool.name });
        definitions.push(toDefinition({ ...inner, name }));
      }
  }
  return { definitions, leftOut: [...leftOut], named };
}

/** The name for the model of a tool in a namespace; one that is too long ends with a hash of the whole name. */
export function flatName(name: string, namespace: string | undefined): string {
  if (namespace === undefined) return name;
  const flat = `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`;
  if (flat.length <= MAX_NAME_LENGTH) return flat;
  const hash = createHash('sha256').update(flat).digest('hex').slice(0, HASH_LENGTH);
  return `${flat.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

function toDefinition({ type, ...definition }: CallableTool): ToolDefinition {
  if (type === 'custom') return { type, custom: { ...withGrammar(definition), name: definition.name } };
  return { type: 'function', function: definition as Extract<ToolDefinition, { type: 'function' }>['function'] };
}

/** A custom tool in the form of chat completions, where the parts of a grammar are members of `grammar`. */
function withGrammar({ format, ...custom }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, ...grammar } = Object(format) as Record<string, unknown>;
  return { ...custom, ...(format !== undefined && { format: type === 'grammar' ? { type, grammar } : format }) };
}
