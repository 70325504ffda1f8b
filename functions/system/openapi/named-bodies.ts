import type { JsonSchema, OpenApiDocument } from './openapi-types.ts';

interface Content {
  readonly schema?: JsonSchema;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

const JSON_TYPE = 'application/json';

/**
 * Names the bodies that operations describe in place, `ExecuteRequest` and `ExecuteResponse`: generators of clients name their types by
 * these, and make up names that collide without them.
 */
export function withNamedBodies(document: OpenApiDocument): OpenApiDocument {
  const components = document.components as Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  const schemas: Record<string, JsonSchema> = { ...components.schemas };
  const named = (content: Readonly<Record<string, Content>>, name: string) => {
    const { schema } = content[JSON_TYPE] ?? {};
    if (schema === undefined || '$ref' in schema) return content;
    schemas[name] = schema;
    return { ...content, [JSON_TYPE]: { ...content[JSON_TYPE], schema: { $ref: `#/components/schemas/${name}` } } };
  };
  const operation = ({ requestBody, responses, ...rest }: Operation): Operation => {
    // The addresses of one route have the same bodies.
    const route = rest.operationId.replace(/Alias\d+$/, '');
    const name = route.charAt(0).toUpperCase() + route.slice(1);
    return {
      ...rest,
      ...(requestBody && { requestBody: { ...requestBody, content: named(requestBody.content, `${name}Request`) } }),
      responses: mapEntries(responses, (status, response) =>
        response.content === undefined || !status.startsWith('2')
          ? response
          : { ...response, content: named(response.content, `${name}Response${status === '200' ? '' : status}`) },
      ),
    };
  };
  const paths = mapEntries(document.paths, (_, methods) =>
    mapEntries(methods, (_, each) => operation(each as unknown as Operation) as unknown as JsonSchema),
  );
  return { ...document, paths, components: { ...components, schemas } };
}

function mapEntries<A, B>(record: Readonly<Record<string, A>>, map: (key: string, value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(key, value)]));
}
