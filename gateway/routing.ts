import { pathsOf, type Route } from '../functions/shared/http/route.ts';

export type Match =
  | { readonly kind: 'route'; readonly route: Route; readonly pathParameters: Readonly<Record<string, string>> | null }
  /** The path exists, but not with this method. */
  | { readonly kind: 'other-method'; readonly allow: readonly string[]; readonly routes: readonly Route[] }
  | { readonly kind: 'unknown-path' };

interface Pattern {
  readonly route: Route;
  readonly path: string;
  readonly segments: readonly string[];
}

/**
 * Finds the route of a request as API Gateway does: segment by segment, a literal before a parameter, and parameter
 * values passed on as they were sent, percent-encoding included (REST APIs decode neither path nor pathParameters).
 */
export function router(routes: readonly Route[]): (method: string, path: string) => Match {
  const patterns = routes
    .flatMap((route) => pathsOf(route).map((path): Pattern => ({ route, path, segments: path.split('/') })))
    .sort((a, b) => parameterCount(a) - parameterCount(b));

  return (method, path) => {
    const segments = path.split('/');
    const candidates = patterns.filter((pattern) => fits(pattern, segments));
    const [best] = candidates;
    if (best === undefined) return { kind: 'unknown-path' };
    const samePath = candidates.filter(({ path: each }) => each === best.path);
    // HEAD is GET without the body; the server leaves the body out.
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = samePath.find(({ route }) => route.method === wanted);
    if (found === undefined) {
      const ofPath = samePath.map(({ route }) => route);
      return { kind: 'other-method', allow: allowedMethods(ofPath), routes: ofPath };
    }
    return { kind: 'route', route: found.route, pathParameters: parametersOf(found, segments) };
  };
}

function fits({ segments }: Pattern, actual: readonly string[]): boolean {
  return (
    segments.length === actual.length &&
    segments.every((segment, index) => (isParameter(segment) ? actual[index] !== '' : segment === actual[index]))
  );
}

function parametersOf({ segments }: Pattern, actual: readonly string[]): Record<string, string> | null {
  const parameters = segments.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), actual[index] ?? ''] as const] : [],
  );
  return parameters.length === 0 ? null : Object.fromEntries(parameters);
}

function allowedMethods(routes: readonly Route[]): string[] {
  const methods = routes.map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function parameterCount({ segments }: Pattern): number {
  return segments.filter(isParameter).length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}
