import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * JSON Schemas of zod schemas. A schema with an id (`.meta({ id: 'DrugLine' })`) becomes a component of the document,
 * described once and referred to everywhere.
 */
export class JsonSchemas {
  readonly components: Record<string, JsonSchema> = {};

  /** @param direction what a client sends (defaults are optional) or what it gets (defaults are filled in). */
  of(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
    const { $schema, $defs, ...json } = pointAtComponents(
      z.toJSONSchema(schema, { io: direction, unrepresentable: 'any' }),
    ) as Record<string, unknown>;
    Object.assign(this.components, $defs);
    return json;
  }

  /** Parameters of an object schema: what stands in the path, the query string or the headers. */
  parameters(schema: z.ZodObject, place: 'path' | 'query' | 'header'): JsonSchema[] {
    const { properties = {}, required = [] } = this.of(schema, 'input') as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...json }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: json,
    }));
  }
}

/** zod refers to definitions within the schema; in an OpenAPI document they live elsewhere. */
function pointAtComponents(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(pointAtComponents);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace(/^#\/\$defs\//, '#/components/schemas/')]
        : [key, pointAtComponents(value)],
    ),
  );
}
