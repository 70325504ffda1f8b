import { Problem } from '../shared/http/problem.ts';

/** No argument of a tool nests nearly as deeply. */
const MAX_DEPTH = 100;

/** The protocol asks for it, against pages that call a service of their visitor's own machine. @throws Problem 403 */
export function requireKnownOrigin(origin: string | undefined, known: readonly string[]): void {
  if (origin === undefined || known.some((each) => URL.parse(each)?.origin === origin)) return;
  throw new Problem(
    403,
    'forbidden',
    'Pages of this origin may not call the MCP endpoint. Call it from a server, or have the operator name the origin in CORS_ORIGINS.',
  );
}

/** Level by level, without recursion. @throws Problem 400 */
export function requireShallow(message: object): void {
  let level: readonly unknown[] = [message];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw new Problem(
        400,
        'invalid_request',
        `The message nests deeper than ${MAX_DEPTH} levels. Send flatter arguments.`,
        {
          details: { fields: { params: 'nests too deeply' } },
        },
      );
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
}

/** The answer to the methods of streams and sessions, which the endpoint does not have. */
export function onlyPost(): Problem {
  return new Problem(405, 'method_not_allowed', 'The MCP endpoint has no streams and no sessions. Use POST.', {
    headers: { allow: 'POST' },
  });
}
