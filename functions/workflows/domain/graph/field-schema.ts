import { type Field, type Fields, MAX_LITERAL_LENGTH, MAX_TEXT_LENGTH } from './fields.ts';
import type { ValueType } from './graph.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The JSON schema (2020-12) of an object with these members: what a graph should have, not all that a draft may hold. */
export function objectSchema(fields: Fields): JsonSchema {
  const required = Object.entries(fields)
    .filter(([, { optional }]) => !optional)
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, memberSchema(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function memberSchema(field: Field): JsonSchema {
  const { description, byDefault } = field;
  const form = field.kind === 'literal' && field.form !== undefined ? [`It must be ${field.form.en}.`] : [];
  const texts = [...(description === undefined ? [] : [description]), ...form];
  return {
    ...valuesSchema(field),
    ...(texts.length > 0 && { description: texts.join(' ') }),
    ...(byDefault !== undefined && { default: byDefault }),
  };
}

function valuesSchema(field: Field): JsonSchema {
  switch (field.kind) {
    case 'text':
      return { type: 'string', maxLength: field.maxLength ?? MAX_TEXT_LENGTH };
    case 'literal': {
      const { maxLength = MAX_LITERAL_LENGTH, pattern } = field;
      return { type: 'string', minLength: 1, maxLength, ...(pattern && patternOf(pattern)) };
    }
    case 'choice':
      return { type: 'string', enum: [...field.of] };
    case 'integer':
    case 'number':
      return { type: field.kind, minimum: field.min, maximum: field.max };
    case 'flag':
      return { type: 'boolean' };
    case 'json':
      return { type: 'object', additionalProperties: {} };
    case 'value':
      return valueSchema(field.type);
    case 'list':
      return { type: 'array', items: memberSchema(field.of), minItems: field.min, maxItems: field.max };
    case 'record':
      return { type: 'object', additionalProperties: memberSchema(field.of), maxProperties: field.max };
    case 'object':
      return objectSchema(field.fields);
  }
}

const TYPES: Readonly<Record<Exclude<ValueType, 'any'>, JsonSchema>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  list: { type: 'array', items: {} },
  object: { type: 'object', additionalProperties: {} },
  file: { type: 'object', additionalProperties: {} },
};

/** A value of a type, or one reference to such a value. */
function valueSchema(type: ValueType): JsonSchema {
  return type === 'any' ? {} : { anyOf: [TYPES[type], { type: 'string', pattern: '\\{\\{.+\\}\\}' }] };
}

/** A pattern for every reader of JSON schemas: these have no flags, and not all know classes of Unicode; `form` names those in words. */
function patternOf({ source, flags }: RegExp): JsonSchema {
  if (source.includes('\\p{')) return {};
  return { pattern: flags.includes('i') ? source.replaceAll('a-f', 'A-Fa-f') : source };
}
