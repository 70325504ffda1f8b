import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routes } from '../../../functions/routes.ts';
import { pathsOf, type Route } from '../../../functions/shared/http/route.ts';
import { openApiDocument } from '../../../functions/system/openapi/openapi-document.ts';

const deployment = { version: '1.0.0', serverUrl: '/' };

async function problemsOf(document: object): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  return valid ? [] : errors;
}

const line = z.object({ code: z.string(), krw: z.int() }).meta({ id: 'Line' });
const putSheet: Route = {
  id: 'extraction.put-sheet',
  method: 'PUT',
  path: '/api/v1/sheets/{sheetId}',
  auth: ['api-key'],
  scope: 'extraction',
  errors: 'envelope',
  doc: { summary: 'Put a sheet' },
  query: z.object({ dry: z.stringbool().optional().describe('Change nothing') }),
  headers: z.object({ 'Idempotency-Key': z.string().max(255).optional() }),
  body: z.object({ lines: z.array(line), note: z.string().default('') }),
  responses: {
    200: {
      description: 'The sheet',
      schema: z.object({ lines: z.array(line), note: z.string().default('') }),
      headers: { 'idempotent-replayed': 'true' },
    },
    422: { description: 'It does not add up' },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [],
};

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 for all routes', async () => {
    expect(await problemsOf(openApiDocument(routes, deployment))).toEqual([]);
  });

  it('refers to nothing that it does not hold', () => {
    const document = openApiDocument([...routes, putSheet], deployment);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) =>
      path!.split('/'),
    );
    expect(references.length).toBeGreaterThan(0);
    for (const path of references)
      expect(
        path.reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document),
        path.join('/'),
      ).toBeDefined();
  });

  it('has no schema that is true or false, which generators of clients refuse', () => {
    const found: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, each] of Object.entries(value)) {
        const isSchema = /\/(?:properties|anyOf|oneOf|allOf|prefixItems)$/.test(path) || ['items', 'not'].includes(key);
        if (typeof each === 'boolean' && isSchema) found.push(`${path}/${key}`);
        visit(each, `${path}/${key}`);
      }
    };
    visit(openApiDocument(routes, deployment), '');
    expect(found).toEqual([]);
  });

  it('names the objects of a union that have objects as members: openapi-python-client names those twice', () => {
    const { schemas } = openApiDocument(routes, deployment).components as {
      schemas: Record<string, { oneOf?: readonly { properties?: Record<string, { type?: string }> }[] }>;
    };
    const found = Object.entries(schemas).filter(([, { oneOf = [] }]) =>
      oneOf.some(({ properties = {} }) => Object.values(properties).some(({ type }) => type === 'object')),
    );
    expect(found.map(([name]) => name)).toEqual([]);
  });

  it('names no type as a generator of clients names a member of another one', () => {
    const { schemas } = openApiDocument(routes, deployment).components as { schemas: Record<string, object> };
    const capital = (name: string) => name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
    const membersOf = (name: string, schema: object): string[] => {
      const { properties = {}, items } = schema as { properties?: Record<string, object>; items?: object };
      const entry = items && '$ref' in items ? undefined : items;
      return [
        ...Object.entries(properties).flatMap(([member, each]) => {
          if ('$ref' in each) return [];
          const own = name + capital(member);
          return 'properties' in each || 'additionalProperties' in each
            ? [own, ...membersOf(own, each)]
            : membersOf(own, each);
        }),
        ...(entry ? [`${name}Item`, ...membersOf(`${name}Item`, entry)] : []),
      ];
    };
    const members = Object.entries(schemas).flatMap(([name, schema]) => membersOf(name, schema));
    expect(members.length).toBeGreaterThan(100);
    expect(members.filter((name, index) => name in schemas || members.indexOf(name) !== index)).toEqual([]);
  });

  it('has an operation for every route, under a unique name', () => {
    const { paths } = openApiDocument(routes, deployment);
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => ({
        route: `${method.toUpperCase()} ${path}`,
        operationId,
      })),
    );
    expect(operations.map(({ route }) => route).sort()).toEqual(
      routes.flatMap((route) => pathsOf(route).map((path) => `${route.method} ${path}`)).sort(),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it('describes what a route takes and gives', async () => {
    const document = openApiDocument([putSheet], { version: '1', serverUrl: '/prod' });
    expect(await problemsOf(document)).toEqual([]);
    expect(document).toMatchObject({
      servers: [{ url: '/prod' }],
      components: { schemas: { Line: { type: 'object' } } },
    });

    const operation = document.paths['/api/v1/sheets/{sheetId}']!.put!;
    expect(operation).toMatchObject({ operationId: 'extractionPutSheet', security: [{ apiKey: [] }] });
    expect(operation.parameters).toMatchObject([
      { name: 'sheetId', in: 'path', required: true },
      { name: 'dry', in: 'query', description: 'Change nothing' },
      { name: 'Idempotency-Key', in: 'header' },
    ]);
    const json = (name: string) => ({
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    });
    expect(operation.requestBody).toMatchObject(json('ExtractionPutSheetRequest'));
    expect(operation.responses).toMatchObject({ 200: json('ExtractionPutSheetResponse') });
    const body = (component: string, required: string[]) => {
      const lines = { type: 'array', items: { $ref: `#/components/schemas/${component}` } };
      return { properties: { lines }, required };
    };
    expect(document.components).toMatchObject({
      schemas: {
        ExtractionPutSheetRequest: body('Line', ['lines']),
        // The request's schema takes further members, the response's does not.
        ExtractionPutSheetResponse: body('LineOutput', ['lines', 'note']),
      },
    });
  });

  it('names the errors that the route table implies, and lets a route word its own', () => {
    const { responses } = openApiDocument([putSheet], deployment).paths['/api/v1/sheets/{sheetId}']!.put! as {
      responses: Record<string, { description: string; content?: object; headers: object }>;
    };
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '422',
      '429',
      '500',
      '504',
    ]);
    expect(responses[422]).toMatchObject({
      description: 'It does not add up',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    });
    expect(responses[429]!.headers).toHaveProperty('retry-after');
    expect(responses[200]!.headers).toHaveProperty('idempotent-replayed');
  });

  it('asks for no key where a route needs none', () => {
    const open: Route = { ...putSheet, auth: [] };
    const operation = openApiDocument([open], deployment).paths['/api/v1/sheets/{sheetId}']!.put!;
    expect(operation.security).toEqual([]);
  });
});
