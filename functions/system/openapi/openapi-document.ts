import { errorFormats } from '../../shared/http/error-formats.ts';
import { responsesOf } from '../../shared/http/implied-errors.ts';
import type { Credential, Route, RouteResponse } from '../../shared/http/route.ts';
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

const commonHeaders = {
  'x-request-id': { description: 'Names this request in our logs', schema: { type: 'string' } },
} as const;

/** How each credential is sent; one without an entry is checked, but not described: a part of the path or the body. */
const securitySchemes: Readonly<Partial<Record<Credential, JsonSchema>>> = {
  jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tripod_session',
    description: 'Calls that change something need the value of the cookie tripod_csrf in the header x-csrf-token too.',
  },
  'api-key': { type: 'apiKey', in: 'header', name: 'x-api-key' },
};

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
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).map(([credential, scheme]) => [camelCase(credential), scheme]),
      ),
      headers: commonHeaders,
      schemas: schemas.components,
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
    security: route.auth.flatMap((credential) =>
      securitySchemes[credential] ? [{ [camelCase(credential)]: [] }] : [],
    ),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: schemas.of(body, 'input') } } },
    }),
    responses: responses(route, schemas),
  };
}

function responses(route: Route, schemas: JsonSchemas): JsonSchema {
  return Object.fromEntries(
    Object.entries(responsesOf(route)).map(([status, response]) => [
      status,
      responseObject(route, Number(status), response, schemas),
    ]),
  );
}

function responseObject(route: Route, status: number, response: RouteResponse, schemas: JsonSchemas): JsonSchema {
  const { description, headers = {} } = response;
  const schema = response.schema ?? (status >= 400 ? errorFormats[route.errors].schema : undefined);
  const own = Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]);
  return {
    description,
    headers: { ...references(commonHeaders), ...Object.fromEntries(own) },
    ...(schema && { content: { [JSON_TYPE]: { schema: schemas.of(schema, 'output') } } }),
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
  return camelCase(id);
}

function camelCase(text: string): string {
  return text.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function service({ id }: Route): string {
  return id.slice(0, id.indexOf('.'));
}
