import type { Route, RouteResponse } from '../../shared/http/route.ts';
import { commonAnswers, commonHeaders, errorSchema, rateLimitHeaders } from './common-answers.ts';
import { type JsonSchema, JsonSchemas } from './json-schemas.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly [member: string]: unknown;
}

export interface Deployment {
  readonly version: string;
  /** Address that the paths are relative to; may itself be relative to the document's. */
  readonly serverUrl: string;
}

const JSON_TYPE = 'application/json';
const ERROR = { $ref: '#/components/schemas/Error' } as const;

/** The OpenAPI description of the routes: everything in it comes from the route table. */
export function openApiDocument(routes: readonly Route[], { version, serverUrl }: Deployment): OpenApiDocument {
  const schemas = new JsonSchemas();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = operation(route, schemas);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tripod',
      version,
      description:
        'Extraction of drug tables, chat and code execution on one account, one key and one prepaid balance.',
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(routes.map(service))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      headers: { ...commonHeaders, ...rateLimitHeaders },
      schemas: { Error: errorSchema, ...schemas.components },
    },
  };
}

function operation(route: Route, schemas: JsonSchemas): JsonSchema {
  const { doc, params, query, headers, body } = route;
  const parameters = [
    ...(params ? schemas.parameters(params, 'path') : pathParameters(route.path)),
    ...(query ? schemas.parameters(query, 'query') : []),
    ...(headers ? schemas.parameters(headers, 'header') : []),
  ];
  return {
    operationId: operationId(route),
    summary: doc.summary,
    ...(doc.description !== undefined && { description: doc.description }),
    tags: [service(route)],
    security: route.auth === 'none' ? [] : [{ apiKey: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: schemas.of(body, 'input') } } },
    }),
    responses: responses(route, schemas),
  };
}

function responses(route: Route, schemas: JsonSchemas): JsonSchema {
  const common = Object.entries(commonAnswers(route)).map(
    ([status, description]) => [status, { description }] as const,
  );
  const all: Readonly<Record<string, RouteResponse>> = { ...Object.fromEntries(common), ...route.responses };
  return Object.fromEntries(
    Object.entries(all).map(([status, response]) => [status, responseObject(Number(status), response, schemas)]),
  );
}

function responseObject(status: number, response: RouteResponse, schemas: JsonSchemas): JsonSchema {
  const { description, schema } = response;
  const own = Object.entries(response.headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  const json = schema ? schemas.of(schema, 'output') : status >= 400 ? ERROR : undefined;
  return {
    description,
    headers: {
      ...references(commonHeaders),
      ...(status === 429 && references(rateLimitHeaders)),
      ...Object.fromEntries(own),
    },
    ...(json && { content: { [JSON_TYPE]: { schema: json } } }),
  };
}

function references(headers: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Path parameters that the route does not describe itself. */
function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

/** `extraction.get-extraction` → `extractionGetExtraction`: unique, and a name in every language. */
function operationId({ id }: Route): string {
  return id.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function service({ id }: Route): string {
  return id.slice(0, id.indexOf('.'));
}
