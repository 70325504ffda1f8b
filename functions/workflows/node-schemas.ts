import * as z from 'zod';
import { objectSchema } from './domain/graph/field-schema.ts';
import type { NodeType } from './domain/graph/graph.ts';
import { NODE_KINDS, NODE_TYPES } from './domain/graph/node-types.ts';

/** `parameter_extractor` → `ParameterExtractor` */
const nameOf = (type: NodeType) => type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The configuration of a type of node, as the OpenAPI document describes it. Its faults are found by validation, not by the parser. */
function configSchema(type: NodeType): z.ZodType {
  const { about, config } = NODE_KINDS[type];
  const description = `Configuration of a node of the type ${type}. ${about}`;
  return z.custom().meta({ id: `Workflow${nameOf(type)}Config`, description, override: objectSchema(config) as never });
}

/**
 * The nodes of a graph, one schema a type, for the OpenAPI document.
 * @param node members that all types have
 */
export function nodeUnion(node: z.ZodObject<{ data: z.ZodDefault<z.ZodObject> }>): z.ZodType {
  const types = NODE_TYPES.map((type) => {
    const data = node.shape.data.unwrap().extend({ config: configSchema(type).optional() });
    return node.extend({ type: z.literal(type), data: data.optional() }).meta({ id: `Workflow${nameOf(type)}Node` });
  });
  return z.discriminatedUnion('type', types as never).meta({ id: 'WorkflowNode' });
}

/** Parses by one schema, and is described by another one. */
export function parsedAs<Output, Input>(parsed: z.ZodType<Output, Input>, described: z.ZodType) {
  const anything = z.custom<Input>();
  const either = z.union([anything, described as typeof anything]).meta({
    override: ({ jsonSchema }: { jsonSchema: { anyOf?: readonly object[] } }) => {
      Object.assign(jsonSchema, jsonSchema.anyOf?.[1]);
      delete jsonSchema.anyOf;
    },
  } as never);
  return z.pipe(either, parsed);
}
