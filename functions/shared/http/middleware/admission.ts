import { memoize } from '../../memoize.ts';
import type { Principal } from '../../principal.ts';
import type { ApiRequest, HttpRequest } from '../api-request.ts';
import {
  type Authenticators,
  authenticate,
  authorize,
  type Claim,
  claimOf,
  type KnownCaller,
} from '../authenticate.ts';
import type { HttpMiddleware, Shared } from '../http-middleware.ts';
import { parseInput } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import type { Route } from '../route.ts';

export interface AdmissionPorts<R extends Route, Loaded extends object> {
  /** Reads for `run`, at the same time as tokens are taken of the principal's limits; a refusal of these wins. */
  readonly load?: (request: ApiRequest<R>) => Promise<Loaded>;
  /**
   * Loads at the same time as the credential of a known caller is checked, which saves a round trip. It may change nothing: its product
   * counts only when the credential has turned out to be valid. Null where only `load` will do.
   */
  readonly loadAhead?: (caller: KnownCaller, input: ParsedInput<R>) => Promise<Loaded> | null;
}

type ParsedInput<R extends Route> = Pick<ApiRequest<R>, 'body' | 'params' | 'query' | 'headers'>;

/** Checks credential, limits and input, and loads; the handler then gets the admitted request in place of the event. */
export function admission<R extends Route, Loaded extends object>(
  route: R,
  authenticators: Authenticators,
  ports: AdmissionPorts<R, Loaded>,
): HttpMiddleware {
  return {
    async before(exchange) {
      const { internal } = exchange;
      const claim = claimOf(route, internal.request, authenticators);
      exchange.event = (await internal.deadline.race(admit(route, claim, ports, internal))) as never;
    },
  };
}

/** In one round trip if the caller is known already, in two otherwise. */
async function admit<R extends Route, Loaded extends object>(
  route: R,
  claim: Claim | null,
  { load = async () => ({}) as Loaded, loadAhead }: AdmissionPorts<R, Loaded>,
  internal: Shared,
): Promise<ApiRequest<R> & Loaded> {
  const { request, limits } = internal;
  const input = lazyInput(route, request, claim?.caller);
  const known = claim?.caller ?? null;
  const early = known && (await input()).value;
  const ahead = early && loadAhead?.(known, { ...NO_INPUT, ...early } as ParsedInput<R>);
  ahead?.catch(() => undefined);
  const principal = await identify(route, claim, input, internal);
  const { value, error } = await input();
  const parsed = { ...request, ...NO_INPUT, ...value, rawBody: request.body, principal } as ApiRequest<R>;
  const authorizeAndLoad = async () => {
    if (principal) authorize(principal, route);
    if (value === undefined) throw error;
    await limits.takeByBody(value.body, request);
    return ahead ?? load(parsed);
  };
  const [byLimits, loaded] = await Promise.allSettled([
    principal && !known && limits.takeByCaller(principal, request, value?.body),
    authorizeAndLoad(),
  ]);
  settledValue(byLimits);
  return { ...parsed, ...settledValue(loaded) };
}

/** The principal, after the limits of its address, and of a known caller: an id that anyone may claim must not empty its bucket. */
async function identify(
  route: Route,
  claim: Claim | null,
  input: () => Promise<Input>,
  internal: Shared,
): Promise<Principal | null> {
  const { request, limits } = internal;
  const [byAddress, byCredential, byCaller] = await Promise.allSettled([
    limits.takeByAddress(request),
    authenticate(route, claim),
    claim?.caller && limits.takeByCaller(claim.caller, request, (await input()).value?.body),
  ]);
  settledValue(byAddress);
  if (byCredential.status === 'rejected' && byCredential.reason instanceof Problem)
    await limits.takeByStranger(request);
  const principal = settledValue(byCredential);
  if (principal) internal.principal = principal;
  settledValue(byCaller);
  return principal;
}

/** The parts that a route without a schema for them does not have. */
const NO_INPUT = { body: undefined, params: undefined, query: undefined, headers: undefined };

/** The parsed input of a request, or its validation problem. */
interface Input {
  readonly value?: Awaited<ReturnType<typeof parseInput>>;
  readonly error?: unknown;
}

function lazyInput(route: Route, request: HttpRequest, caller: KnownCaller | null | undefined): () => Promise<Input> {
  return memoize(() =>
    parseInput(route, request, caller?.workspaceId).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    ),
  );
}

function settledValue<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
