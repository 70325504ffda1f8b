/**
 * TypeScript types of an OpenAPI document, in the shape that openapi-fetch takes. By hand: openapi-typescript needs the compiler's API,
 * which TypeScript 7 has not, so it would bring a second compiler; our document uses a small part of JSON Schema.
 */

type Schema = Readonly<Record<string, unknown>>;

export function openApiTypes({ paths, components }: { readonly paths: object; readonly components?: unknown }): string {
  const { schemas = {} } = (components ?? {}) as { schemas?: Record<string, Schema> };
  return [
    '/* Made from the route tables by bin/console-types.ts. */',
    `export interface Schemas ${members(Object.entries(schemas).map(([name, schema]) => [name, true, typeOf(schema)]))}`,
    `export interface paths ${members(
      Object.entries(paths).map(([path, operations]) => [
        path,
        true,
        pathType(operations as Record<string, Operation>),
      ]),
    )}`,
    '',
  ].join('\n');
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly parameters?: readonly { in: string; name: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

type Member = readonly [name: string, isRequired: boolean, type: string];

function pathType(operations: Readonly<Record<string, Operation>>): string {
  return members(Object.entries(operations).map(([method, operation]) => [method, true, operationType(operation)]));
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const places = ['query', 'header', 'path', 'cookie'].map((place): Member => {
    const those = parameters.filter((parameter) => parameter.in === place);
    const isRequired = those.some(({ required }) => required);
    const type = members(those.map(({ name, required, schema }) => [name, required === true, typeOf(schema)]));
    return [place, isRequired, those.length === 0 ? 'never' : type];
  });
  const answers = Object.entries(responses).map(
    ([status, { content }]): Member => [
      status,
      true,
      `{ headers: { [name: string]: unknown }; content${contentType(content)} }`,
    ],
  );
  return members([
    ['parameters', true, members(places)],
    ...(requestBody ? [['requestBody', true, `{ content${contentType(requestBody.content)} }`] as const] : []),
    ['responses', true, members(answers)],
  ]);
}

function contentType(content: Content['content']): string {
  if (content === undefined) return '?: never';
  // Streams are read by hand.
  const read = Object.entries(content).filter(([type]) => type !== 'text/event-stream');
  return `: ${members(read.map(([type, { schema }]) => [type, true, typeOf(schema)]))}`;
}

function members(all: readonly Member[]): string {
  const lines = all.map(
    ([name, isRequired, type]) =>
      `${/^\d+$/.test(name) ? name : JSON.stringify(name)}${isRequired ? '' : '?'}: ${type};`,
  );
  return `{\n${lines.join('\n')}\n}`;
}

function typeOf(schema: Schema | boolean): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
  const { $ref, const: constant, enum: values, oneOf, anyOf, allOf, type } = schema as Record<string, never>;
  if ($ref !== undefined) return `Schemas[${JSON.stringify(String($ref).replace('#/components/schemas/', ''))}]`;
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return union((values as unknown[]).map((value) => JSON.stringify(value)));
  // In addition to a type they state conditions, which types cannot express.
  const choices = (oneOf ?? anyOf) as Schema[] | undefined;
  if (choices !== undefined && (type === undefined || type === 'object') && schema.properties === undefined)
    return union(choices.map(typeOf));
  if (allOf !== undefined) return (allOf as Schema[]).map((each) => `(${typeOf(each)})`).join(' & ');
  if (Array.isArray(type)) return union((type as string[]).map((each) => typeOf({ ...schema, type: each })));
  switch (type as string | undefined) {
    case 'string':
    case 'boolean':
    case 'null':
      return String(type);
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayType(schema);
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function arrayType({ prefixItems, items }: Schema): string {
  // openapi-fetch knows no tuples.
  if (Array.isArray(prefixItems)) return `(${union(prefixItems.map(typeOf))})[]`;
  return `(${items === undefined ? 'unknown' : typeOf(items as Schema)})[]`;
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const named = Object.entries(properties as Record<string, Schema>);
  if (named.length === 0)
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties as Schema) : 'unknown'}>`;
  return members(named.map(([name, schema]) => [name, (required as string[]).includes(name), typeOf(schema)]));
}

function union(types: readonly string[]): string {
  return [...new Set(types)].map((type) => (type.includes('|') ? `(${type})` : type)).join(' | ');
}
