import type { Random } from '../../../bench/corpus/random.ts';
import { routes } from '../../../functions/routes.ts';
import { responsesOf } from '../../../functions/shared/http/implied-errors.ts';
import type { Route } from '../../../functions/shared/http/route.ts';
import { examplesOf } from '../../../local/events/examples.ts';
import { Finding } from '../finding.ts';
import type { FuzzTarget } from '../target.ts';

/** Values that are of another type, of another size or at an edge. */
const STRANGE: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 53, 2 ** 31, '', ' ', '0', '\u0000', '\ud800', '‮가', '😀', [], {}],
  ...['a'.repeat(10_000), '9'.repeat(400), '../../etc/passwd', '{{x}}', "' OR 1=1 --", '__proto__', 'constructor'],
  ...[[[[[[[]]]]]], { constructor: { prototype: {} } }, ['a', ['a']], Array.from({ length: 2_000 }, () => 0)],
];
/** They end the session, the key or the workspace that all others need. */
const DESTRUCTIVE: readonly string[] = ['accounts.revoke-api-key'];

interface Attempt {
  readonly route: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body?: unknown;
}

/** Requests that the OpenAPI document nearly allows. */
export const bodies: FuzzTarget = {
  name: 'bodies',
  async start(service) {
    const served = routes.filter(({ id, stream }) => !stream && !DESTRUCTIVE.includes(id));
    const examples = await Promise.all(
      served.map(async (route) => ({ route, example: (await examplesOf(route))[0] ?? {} })),
    );
    return {
      async input(random) {
        const { route, example } = random.pick(examples);
        const { pathParameters = {}, query = '', body } = example;
        const attempt: Attempt = {
          route: route.id,
          pathParameters: random.chance(0.2)
            ? (strange(pathParameters, random) as typeof pathParameters)
            : pathParameters,
          query: random.chance(0.3) ? strangeQuery(random) : query,
          ...(body !== undefined && { body: strange(body, random) }),
        };
        return Buffer.from(JSON.stringify(attempt));
      },
      async attempt(input) {
        const { route: id, pathParameters, query, body } = JSON.parse(input.toString()) as Attempt;
        const route = served.find((candidate) => candidate.id === id)!;
        const path = route.path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) =>
          encodeURIComponent(String(pathParameters[name] ?? '').toWellFormed()),
        );
        const init = { method: route.method, ...(body !== undefined && { body: JSON.stringify(body) }) };
        const response = await service.send(query ? `${path}?${query}` : path, init);
        if (!isDocumented(route, response.status))
          throw new Finding(
            `${route.method} ${path} was answered with ${response.status}, which its document does not have.`,
          );
      },
    };
  },
};

/** The gateway itself has no route for some paths: those of no or of an empty segment. */
function isDocumented(route: Route, status: number): boolean {
  return status in responsesOf(route) || status === 404 || status === 405;
}

/** The value with one of its parts replaced, taken out, doubled or nested. */
function strange(value: unknown, random: Random): unknown {
  if (random.chance(0.3) || typeof value !== 'object' || value === null) return random.pick(STRANGE);
  if (Array.isArray(value)) {
    const at = random.int(0, Math.max(0, value.length - 1));
    if (random.chance(0.2)) return [...value, ...value];
    return value.map((item: unknown, index) => (index === at ? strange(item, random) : item));
  }
  const names = Object.keys(value);
  if (names.length === 0 || random.chance(0.1)) return { ...value, [random.pick(['__proto__', 'unknown', ''])]: 1 };
  const name = random.pick(names);
  const { [name]: member, ...others } = value as Record<string, unknown>;
  return random.chance(0.15) ? others : { ...others, [name]: strange(member, random) };
}

function strangeQuery(random: Random): string {
  const names = ['limit', 'cursor', 'from', 'to', 'group_by', 'channel', 'state', 'wait', 'items', 'unknown'];
  const values = ['', '0', '-1', '1e9', '%00', '%ff', '%F0%9F%98%80', 'a'.repeat(3_000), '2026-02-30', '[]'];
  return Array.from({ length: random.int(1, 3) }, () => `${random.pick(names)}=${random.pick(values)}`).join('&');
}
