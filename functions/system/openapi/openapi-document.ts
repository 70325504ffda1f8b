import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { errorFormats } from '../../shared/http/error-formats.ts';
import { responsesOf } from '../../shared/http/implied-errors.ts';
import { type Credential, pathsOf, type Route, type RouteResponse } from '../../shared/http/route.ts';
import { withNamedBodies } from './named-bodies.ts';
import type { JsonSchema, OpenApiDocument } from './openapi-types.ts';

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
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    for (const [index, path] of pathsOf(route).entries()) {
      paths[path] ??= {};
      paths[path]![route.method.toLowerCase()] = operation(route, index);
    }
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Tripod',
        version,
        description:
          'Extraction of drug tables, chat and code execution on one account, one key and one prepaid balance.',
      },
      servers: [{ url: serverUrl }],
      tags: [...new Set(routes.map(service))].map((name) => ({ name })),
      paths: paths as ZodOpenApiPathsObject,
      components: {
        securitySchemes: Object.fromEntries(
          Object.entries(securitySchemes).map(([credential, scheme]) => [camelCase(credential), scheme]),
        ) as never,
        headers: commonHeaders,
      },
    },
    { allowEmptySchema: { any: true, unknown: true, custom: true, transform: true } as never },
  );
  return withNamedBodies(document as unknown as OpenApiDocument);
}

/** @param index of the path among those of the route. */
function operation(route: Route, index: number): ZodOpenApiOperationObject {
  const { doc, params, query, headers, body } = route;
  const path = params ?? pathParameters(route.path);
  return {
    operationId: operationId(route) + (index === 0 ? '' : `Alias${index}`),
    summary: doc.summary,
    ...(doc.description !== undefined && { description: doc.description }),
    tags: [service(route)],
    security: route.auth.flatMap((credential) =>
      securitySchemes[credential] ? [{ [camelCase(credential)]: [] }] : [],
    ),
    requestParams: { ...(path && { path }), ...(query && { query }), ...(headers && { header: headers }) },
    ...(body && { requestBody: { required: true, content: { [JSON_TYPE]: { schema: body } } } }),
    responses: Object.fromEntries(
      Object.entries(responsesOf(route)).map(([status, response]) => [
        status,
        responseObject(route, Number(status), response),
      ]),
    ) as never,
  };
}

function responseObject(route: Route, status: number, response: RouteResponse): ZodOpenApiResponseObject {
  const { description, headers = {} } = response;
  const schema = response.schema ?? (status >= 400 ? errorFormats[route.errors].schema : undefined);
  const own = Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]);
  return {
    description,
    headers: { ...references(commonHeaders), ...Object.fromEntries(own) },
    ...(schema && {
      content: {
        [JSON_TYPE]: { schema },
        ...(response.events && { 'text/event-stream': { schema: response.events } }),
      },
    }),
  };
}

function references(headers: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Path parameters that the route does not describe itself. */
function pathParameters(path: string): z.ZodObject | undefined {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => [name, z.string()]);
  return names.length === 0 ? undefined : z.object(Object.fromEntries(names));
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
