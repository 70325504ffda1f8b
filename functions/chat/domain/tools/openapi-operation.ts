import { withoutTrailingSlashes } from '../../../shared/without-trailing-slashes.ts';
import { type ToolArguments, ToolFailed, type ToolParameters } from './tool.ts';

/** An operation of an OpenAPI document, with all that a request of it needs. */
export interface Operation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's address, with {names} in the places of parameters. */
  readonly path: string;
  readonly parameters: readonly OperationParameter[];
  readonly body: 'none' | 'optional' | 'required';
  /** The schema shown to the model. */
  readonly schema: ToolParameters;
}

export interface OperationParameter {
  /** Name of the argument that the model gives. */
  readonly argument: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
}

/** Why a document gives no tool; the message starts in the middle of a sentence, behind the name of the field. */
export class OperationRefused extends Error {
  override name = 'OperationRefused';
}

export interface FoundOperation {
  readonly operation: Operation;
  readonly description: string;
  /** The document's own address of the server; null where it names none. */
  readonly server: string | null;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Argument that holds the body of the request. */
const BODY = 'body';
const MAX_SCHEMA_LENGTH = 32_000;
const MAX_DEPTH = 24;
const MAX_DESCRIPTION_LENGTH = 1_000;
/** Described elsewhere in a document, so that parameters of these names do not count. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization'];

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The operation of this id, made independent of the rest of the document.
 * @param fixedHeaders names of headers that the configuration sets, in lower case: the model is not asked for them.
 * @throws OperationRefused
 */
export function findOperation(document: Json, operationId: string, fixedHeaders: readonly string[]): FoundOperation {
  if (!/^3\.[01]/.test(textOf(document.openapi)))
    throw new OperationRefused('is not an OpenAPI document of version 3.0 or 3.1');
  for (const [path, unresolved] of Object.entries(objectOf(document.paths))) {
    const item = objectOf(resolved(document, unresolved));
    for (const method of METHODS) {
      const described = objectOf(item[method]);
      if (described.operationId !== operationId) continue;
      if (!path.startsWith('/')) throw new OperationRefused(`has a path that does not start with a slash: ${path}`);
      const { parameters, properties, required } = argumentsOf(
        document,
        [...listOf(item.parameters), ...listOf(described.parameters)],
        path,
        fixedHeaders,
      );
      const body = bodyOf(document, described.requestBody);
      const schema = {
        type: 'object',
        properties: { ...properties, ...(body && { [BODY]: body.schema }) },
        required: [...required, ...(body?.isRequired ? [BODY] : [])],
      };
      if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH)
        throw new OperationRefused(
          `describes ${operationId} with more than ${MAX_SCHEMA_LENGTH} characters, more than a model is to read with each request`,
        );
      return {
        operation: {
          operationId,
          method: method.toUpperCase() as Operation['method'],
          path,
          parameters,
          body: body === null ? 'none' : body.isRequired ? 'required' : 'optional',
          schema,
        },
        description: [textOf(described.summary), textOf(described.description)]
          .filter((text) => text !== '')
          .join('. ')
          .slice(0, MAX_DESCRIPTION_LENGTH),
        server: serverOf(described) ?? serverOf(item) ?? serverOf(document),
      };
    }
  }
  throw new OperationRefused(`has no operation ${JSON.stringify(operationId)}`);
}

function serverOf({ servers }: Json): string | null {
  return textOf(objectOf(listOf(servers)[0]).url) || null;
}

function argumentsOf(document: Json, described: readonly unknown[], path: string, fixedHeaders: readonly string[]) {
  const byPlace = new Map<string, Json>();
  // The operation's parameters come last: they replace the path's.
  for (const each of described) {
    const parameter = objectOf(resolved(document, each));
    byPlace.set(`${textOf(parameter.in)} ${textOf(parameter.name)}`, parameter);
  }
  const parameters: OperationParameter[] = [];
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const parameter of byPlace.values()) {
    const [name, place] = [textOf(parameter.name), textOf(parameter.in)];
    if (place === 'header' && [...IGNORED_HEADERS, ...fixedHeaders].includes(name.toLowerCase())) continue;
    const isRequired = parameter.required === true || place === 'path';
    if (place !== 'path' && place !== 'query' && place !== 'header') {
      if (isRequired) throw new OperationRefused(`needs the ${place} parameter ${name}, which cannot be sent`);
      continue;
    }
    const argument = name in properties || name === BODY ? `${name}_${place}` : name;
    const { schema = objectOf(Object.values(objectOf(parameter.content))[0]).schema, description } = parameter;
    properties[argument] = {
      ...objectOf(inlined(document, schema ?? { type: 'string' })),
      ...(typeof description === 'string' && { description: description.slice(0, MAX_DESCRIPTION_LENGTH) }),
    };
    if (isRequired) required.push(argument);
    parameters.push({ argument, name, in: place, isRequired });
  }
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g))
    if (!byPlace.has(`path ${name}`)) throw new OperationRefused(`does not describe the path parameter ${name}`);
  return { parameters, properties, required };
}

function bodyOf(document: Json, described: unknown): { readonly schema: unknown; readonly isRequired: boolean } | null {
  if (described === undefined) return null;
  const { content, required } = objectOf(resolved(document, described));
  const json = Object.entries(objectOf(content)).find(([type]) => /^application\/([\w.+-]*\+)?json\b/i.test(type));
  if (json === undefined) {
    if (required === true) throw new OperationRefused('describes a body that is not JSON, which cannot be sent');
    return null;
  }
  return { schema: inlined(document, objectOf(json[1]).schema ?? {}), isRequired: required === true };
}

/** The target of a reference within the document. */
function resolved(document: Json, value: unknown): unknown {
  let found = value;
  for (let depth = 0; isObject(found) && typeof found.$ref === 'string'; depth++) {
    const { $ref } = found;
    if (!$ref.startsWith('#/'))
      throw new OperationRefused(`refers to ${JSON.stringify($ref.slice(0, 200))}, outside of itself`);
    if (depth === MAX_DEPTH) throw new OperationRefused('has references that lead round in a circle');
    found = $ref
      .slice(2)
      .split('/')
      .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), document);
    if (found === undefined)
      throw new OperationRefused(`refers to ${JSON.stringify($ref.slice(0, 200))}, which is not there`);
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A schema with every reference replaced by what it points at; what refers to itself ends as "anything". */
function inlined(document: Json, schema: unknown): unknown {
  let left = MAX_SCHEMA_LENGTH;
  const inline = (value: unknown, within: readonly string[]): unknown => {
    // Each node takes at least a character of the result.
    left -= 1;
    if (left < 0)
      throw new OperationRefused('describes its arguments at more length than a model is to read with each request');
    if (Array.isArray(value)) return value.map((each) => inline(each, within));
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref === 'string') {
      if (within.includes($ref) || within.length === MAX_DEPTH) return {};
      return inline(resolved(document, value), [...within, $ref]);
    }
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => (UNSHOWN.includes(name) ? [] : [[name, inline(each, within)]])),
    );
  };
  return inline(schema, []);
}

/** Members of schemas that say nothing to a model. */
const UNSHOWN = ['example', 'examples', 'xml', 'externalDocs'];

export interface OperationRequest {
  readonly url: string;
  readonly method: Operation['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The request that a call with these arguments makes. @throws ToolFailed */
export function requestOf(server: string, operation: Operation, args: ToolArguments): OperationRequest {
  let { path } = operation;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { argument, name, in: place, isRequired } of operation.parameters) {
    const value = args[argument];
    if (value === undefined || value === null) {
      if (isRequired) throw missing(argument);
    } else if (place === 'path') path = path.replaceAll(`{${name}}`, () => pathSegment(argument, value));
    else if (place === 'header') headers[name.toLowerCase()] = plainText(value);
    else for (const each of [value].flat()) query.append(name, plainText(each));
  }
  const body = args[BODY];
  if (operation.body === 'required' && body === undefined) throw missing(BODY);
  const hasBody = operation.body !== 'none' && body !== undefined;
  if (hasBody) headers['content-type'] = 'application/json';
  const search = query.size === 0 ? '' : `?${query}`;
  return {
    url: `${withoutTrailingSlashes(server)}${path}${search}`,
    method: operation.method,
    headers: { accept: 'application/json, text/*;q=0.9, */*;q=0.1', ...headers },
    body: hasBody ? JSON.stringify(body) : null,
  };
}

const missing = (argument: string): ToolFailed => new ToolFailed('invalid_arguments', `${argument} is missing.`);

/** One segment of a path and nothing else: `..` would lead to another operation of the server. */
function pathSegment(argument: string, value: unknown): string {
  const text = plainText(value);
  if (text === '' || text === '.' || text === '..')
    throw new ToolFailed('invalid_arguments', `${argument} must not be ${JSON.stringify(text)}.`);
  return encodeURIComponent(text.toWellFormed());
}

function plainText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
