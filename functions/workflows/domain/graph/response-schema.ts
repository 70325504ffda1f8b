import { isObject, type Json, type JsonObject } from './graph.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/** Members that hold a schema, a list of schemas, or schemas by name. */
const INNER = ['items', 'additionalProperties', 'not', 'contains', 'anyOf', 'oneOf', 'allOf', 'prefixItems'];
const NAMED = ['properties', '$defs', 'definitions'];
/** Patterns of an author can take forever on a text, and references can lead in a circle. */
const UNCHECKED = ['pattern', 'patternProperties', 'format'];

/** The fault of a JSON schema, with its place; null where it can be used. */
export function schemaFault(schema: Json, place = ''): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isObject(schema)) return `${place || 'it'} is not an object`;
  const { type, required, enum: values } = schema;
  const types = type === undefined ? [] : Array.isArray(type) ? (type as readonly Json[]) : [type];
  const unknown = types.find((each) => !TYPES.includes(String(each)));
  if (unknown !== undefined)
    return `${at(place, 'type')} is ${JSON.stringify(unknown)}, and must be one of ${TYPES.join(', ')}`;
  if (required !== undefined && !(Array.isArray(required) && required.every((each) => typeof each === 'string')))
    return `${at(place, 'required')} is not a list of names`;
  if (values !== undefined && !(Array.isArray(values) && values.length > 0))
    return `${at(place, 'enum')} is not a list of values`;
  for (const [name, inner] of innerSchemas(schema)) {
    const fault = schemaFault(inner, at(place, name));
    if (fault !== null) return fault;
  }
  return null;
}

/** The parts of a schema that answers are checked against: without patterns, formats and references. */
export function checkedSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((each: Json) => checkedSchema(each));
  if (!isObject(schema)) return schema;
  if (schema.$ref !== undefined || schema.$dynamicRef !== undefined) return {};
  const members = Object.entries(schema)
    .filter(([name]) => !UNCHECKED.includes(name))
    .map(([name, each]): [string, Json] => {
      if (INNER.includes(name)) return [name, checkedSchema(each)];
      if (!NAMED.includes(name) || !isObject(each)) return [name, each];
      return [name, Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, checkedSchema(inner)]))];
    });
  return Object.fromEntries(members);
}

function innerSchemas(schema: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(schema).flatMap(([name, each]): (readonly [string, Json])[] => {
    if (INNER.includes(name))
      return Array.isArray(each) ? each.map((inner: Json, index) => [`${name}.${index}`, inner]) : [[name, each]];
    if (!NAMED.includes(name)) return [];
    return isObject(each) ? Object.entries(each).map(([key, inner]) => [`${name}.${key}`, inner]) : [[name, null]];
  });
}

function at(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}
