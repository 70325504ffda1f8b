import type { Field, Fields } from '../graph/fields.ts';
import { type Graph, type GraphNode, isObject, type Json, type JsonObject, type NodeType } from '../graph/graph.ts';
import { NODE_KINDS } from '../graph/node-types.ts';
import { type Lookup, resolved, soleReference, TooLarge } from '../graph/references.ts';
import { type Writer, writerFor } from '../graph/value-texts.ts';
import type { Activity } from './frame.ts';

/**
 * A configuration with its references replaced where its type allows them: a program's own braces are left alone.
 * @throws TooLarge
 */
export function resolvedConfig(config: JsonObject, fields: Fields, lookup: Lookup, write: Writer): JsonObject {
  const entries = Object.entries(config).map(([name, value]): [string, Json] => {
    const field = fields[name];
    return [name, field === undefined ? value : resolvedField(value, field, lookup, write)];
  });
  return Object.fromEntries(entries);
}

function resolvedField(value: Json, field: Field, lookup: Lookup, write: Writer): Json {
  switch (field.kind) {
    case 'text': {
      // A single reference yields its value unchanged: here it must become a text, for any type.
      const filled = resolved(value, lookup, write);
      if (filled === null) return null;
      return typeof value === 'string' && soleReference(value) === null ? filled : write(filled);
    }
    case 'value':
      return resolved(value, lookup, write);
    case 'list':
      return Array.isArray(value) ? value.map((each: Json) => resolvedField(each, field.of, lookup, write)) : value;
    case 'record': {
      if (!isObject(value)) return value;
      const members = Object.entries(value).map(([name, each]) => [name, resolvedField(each, field.of, lookup, write)]);
      return Object.fromEntries(members) as JsonObject;
    }
    case 'object':
      return isObject(value) ? resolvedConfig(value, field.fields, lookup, write) : value;
    default:
      return value;
  }
}

/**
 * Replaces the references of a node that starts; those of a body's results are replaced at the end of its passes.
 * @returns their fault, or null.
 */
export function resolveReferences(activity: Activity, lookup: Lookup, graph: Graph): string | null {
  const { node } = activity;
  const { output: _, until: __, ...atStart } = node.config;
  const config = node.type === 'iteration' || node.type === 'loop' ? atStart : node.config;
  const write = writerFor(graph, useOf(node));
  try {
    activity.config = resolvedConfig(config, NODE_KINDS[node.type].config, lookup, write);
    activity.inputs = resolved(node.inputs, lookup, write) as JsonObject;
    return null;
  } catch (error) {
    if (error instanceof TooLarge) return error.message;
    throw error;
  }
}

/** The reader of the texts of a node. */
function useOf({ type }: GraphNode): 'text' | 'prompt' | 'answer' {
  if (type === 'answer') return 'answer';
  return ASK_MODELS.includes(type) ? 'prompt' : 'text';
}

const ASK_MODELS: readonly NodeType[] = ['agent', 'classifier', 'parameter_extractor'];

/** The members of a resolved configuration that references may have filled: what a node worked on. */
export function shownInputs(config: JsonObject, fields: Fields, inputs: JsonObject): JsonObject {
  const filled = Object.entries(config).filter(([name]) => {
    const kind = fields[name]?.kind;
    return kind === 'text' || kind === 'value' || kind === 'record' || kind === 'list';
  });
  return { ...Object.fromEntries(filled), ...inputs };
}
