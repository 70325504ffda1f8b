import { CORS_REQUEST_HEADERS, isOpenToPages, PREFLIGHT_MAX_AGE_SECONDS } from '../../functions/shared/http/cors.ts';
import { pathsOf, type Route } from '../../functions/shared/http/route.ts';
import { gatewayResponses } from './gateway-responses.ts';

/** API Gateway gives up on a buffered response after 29 s, also while the function continues. */
const BUFFERED_TIMEOUT_SECONDS = 29;

export interface DefinitionParts {
  readonly title: string;
  /** ARN under which API Gateway invokes the function of a route. @param streamed whether the response is streamed */
  readonly invocationArn: (route: Route, streamed: boolean) => string;
  readonly corsOrigins: readonly string[];
}

/**
 * The routes as API Gateway imports them: one resource of the stack, where methods of their own would be four hundred, close
 * to the 500 that a stack may have. It says nothing of bodies: handlers check these.
 */
export function apiDefinition(
  routes: readonly Route[],
  { title, invocationArn, corsOrigins }: DefinitionParts,
): object {
  const served = routes.flatMap((route) => pathsOf(route).map((path) => ({ path, route })));
  const paths = [...Map.groupBy(served, ({ path }) => path)].map(([path, ofPath]) => {
    const ofRoutes = ofPath.map(({ route }) => route);
    const methods = ofRoutes.map((route) => [route.method.toLowerCase(), operationOf(route, path, invocationArn)]);
    const preflight = preflightOf(ofRoutes, path, corsOrigins);
    return [path, { ...Object.fromEntries(methods), ...(preflight && { options: preflight }) }] as const;
  });
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    paths: Object.fromEntries(paths),
    // Part of the definition: an import removes resources that it does not contain.
    'x-amazon-apigateway-gateway-responses': gatewayResponses(corsOrigins),
  };
}

function operationOf(route: Route, path: string, invocationArn: DefinitionParts['invocationArn']): object {
  const { stream, limits } = route;
  const seconds = stream ? limits.timeoutSeconds : Math.min(limits.timeoutSeconds, BUFFERED_TIMEOUT_SECONDS);
  return {
    ...parametersOf(path),
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: invocationArn(route, stream === true),
      passthroughBehavior: 'when_no_match',
      timeoutInMillis: seconds * 1000,
      ...(stream && { responseTransferMode: 'STREAM' }),
    },
  };
}

function parametersOf(path: string): object {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) };
}

/** API Gateway answers what a browser asks before it sends, with the path's own methods; null where no page may ask. */
function preflightOf(routes: readonly Route[], path: string, corsOrigins: readonly string[]): object | null {
  const [first, ...others] = routes.some(isOpenToPages) ? ['*'] : corsOrigins;
  if (first === undefined) return null;
  const headers: Readonly<Record<string, string>> = {
    'Access-Control-Allow-Headers': CORS_REQUEST_HEADERS.join(','),
    'Access-Control-Allow-Origin': first,
    ...(first !== '*' && { Vary: 'Origin' }),
    'Access-Control-Allow-Methods': routes.map(({ method }) => method).join(','),
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
  };
  const names = Object.keys(headers);
  return {
    ...parametersOf(path),
    responses: {
      204: {
        description: 'What pages may send',
        headers: Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }])),
      },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      requestTemplates: { 'application/json': '{ "statusCode": 200 }' },
      responses: {
        default: {
          statusCode: '204',
          responseParameters: Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]),
          ),
          ...(others.length > 0 && { responseTemplates: { 'application/json': originTemplate(others) } }),
        },
      },
    },
  };
}

/** Answers each origin with itself: a response may name one only. */
function originTemplate(origins: readonly string[]): string {
  return [
    '#set($origin = $input.params().header.get("Origin"))',
    '#if($origin == "")',
    '  #set($origin = $input.params().header.get("origin"))',
    '#end',
    `#if(${origins.map((origin) => `$origin == "${origin}"`).join(' || ')})`,
    '  #set($context.responseOverride.header.Access-Control-Allow-Origin = $origin)',
    '#end',
  ].join('\n');
}
