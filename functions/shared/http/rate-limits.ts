import { addressSubject } from '../limits/address-subject.ts';
import { effectiveLimit } from '../limits/base-limits.ts';
import { type LimitVerdict, limitHeaders, type RateLimit, tightest } from '../limits/rate-limit.ts';
import type { Refusals } from '../limits/refusals.ts';
import { type Demand, type LimitPorts, takeTokens } from '../limits/take-tokens.ts';
import type { Principal } from '../principal.ts';
import type { HttpRequest } from './api-request.ts';
import { Problem } from './problem.ts';
import type { Route, RouteRateLimit } from './route.ts';

/** The caller as limits know it, before or after its credential is checked. */
export type LimitedCaller = Pick<Principal, 'id' | 'kind'>;

/**
 * The limits of one request. A caller with a valid credential has its own bucket; all others share the bucket of their address. The route
 * may add limits.
 */
export class RequestLimits {
  readonly #route: Pick<Route, 'id' | 'auth' | 'rateLimits' | 'isUnlimited'>;
  readonly #ports: LimitPorts | null;
  #verdicts: readonly LimitVerdict[] = [];

  /** @param ports null where no limits are kept. */
  constructor(route: Pick<Route, 'id' | 'auth' | 'rateLimits' | 'isUnlimited'>, ports: LimitPorts | null) {
    this.#route = route;
    this.#ports = ports;
  }

  /** The limits that need no credential. @throws Problem 429 */
  async takeByAddress({ sourceAddress }: HttpRequest): Promise<void> {
    const own = this.#own.filter(({ per }) => per === 'address').map(({ limit }) => limit);
    const base = this.#route.auth.length === 0 ? this.#base('address') : [];
    await this.#take(demandsOf([...own, ...base], addressSubject(sourceAddress)));
  }

  /** The limit of a request whose credential is missing or bad. @throws Problem 429 */
  async takeByStranger({ sourceAddress }: HttpRequest): Promise<void> {
    await this.#take(demandsOf(this.#base('address'), addressSubject(sourceAddress)));
  }

  /** The limits of a caller. @param body as parsed; undefined for one that is not valid, which has no cost by its contents. */
  async takeByCaller(caller: LimitedCaller | null, { sourceAddress }: HttpRequest, body: unknown): Promise<void> {
    if (caller === null) return;
    const demands = (isOfMany: boolean) =>
      this.#own.flatMap(({ limit, per, cost }): Demand[] => {
        if (!appliesTo(per, caller) || (per === 'token') !== isOfMany) return [];
        const tokens = cost === undefined ? 1 : body === undefined ? 0 : Math.min(cost(body), limit.burst);
        return tokens === 0 ? [] : [{ limit, subject: subjectOf(per, caller, sourceAddress), tokens }];
      });
    // A platform delivers many people's messages from one address, so that its routes have separate limits.
    const base =
      caller.kind === 'channel' ? [] : demandsOf(this.#base('user'), subjectOf('caller', caller, sourceAddress));
    await this.#take([...demands(false), ...base], caller);
    // Afterwards: a visitor who is refused must not empty the bucket that all visitors share.
    await this.#take(demands(true));
  }

  /** The limits of what the body names, such as the account that a login is for. @throws Problem 429 */
  async takeByBody(body: unknown, { sourceAddress }: HttpRequest): Promise<void> {
    const address = addressSubject(sourceAddress);
    const named = this.#own.flatMap(({ limit, subject, sparesKnown }) =>
      subject === undefined ? [] : [{ demand: { limit, subject: subject(body, address), tokens: 1 }, sparesKnown }],
    );
    const accounts = new Set(named.flatMap(({ sparesKnown }) => (sparesKnown ? [sparesKnown(body)] : [])));
    const known = new Set<string>();
    for (const account of accounts) if (await this.#isKnown(account, address)) known.add(account);
    await this.#take(
      named.flatMap(({ demand, sparesKnown }) => (sparesKnown && known.has(sparesKnown(body)) ? [] : [demand])),
    );
  }

  async #isKnown(account: string, address: string): Promise<boolean> {
    const { known, clock, storeFailed } = this.#ports ?? {};
    if (known === undefined || clock === undefined) return false;
    try {
      return await known.isKnown(account, address, clock.now());
    } catch (error) {
      await storeFailed?.(error);
      return false;
    }
  }

  /** Of the tightest limit so far. */
  headers(): Readonly<Record<string, string>> {
    const verdict = tightest(this.#verdicts);
    return verdict === null ? {} : limitHeaders(verdict);
  }

  /** The route's additional limits, with the numbers of the deployment. */
  get #own(): readonly RouteRateLimit[] {
    return (this.#route.rateLimits ?? []).flatMap((own) => {
      const limit = effectiveLimit(own.limit, this.#ports?.overrides);
      return limit === null ? [] : [{ ...own, limit }];
    });
  }

  #base(kind: 'user' | 'address'): RateLimit[] {
    const limit = this.#route.isUnlimited ? null : this.#ports?.base[kind];
    return limit ? [limit] : [];
  }

  async #take(demands: readonly Demand[], caller?: LimitedCaller): Promise<void> {
    if (this.#ports === null || demands.length === 0) return;
    this.#verdicts = [...this.#verdicts, ...(await takeTokens(demands, this.#ports))];
    const verdict = tightest(this.#verdicts);
    if (verdict === null || verdict.passes) return;
    // Visitors of a public token share its id, but each has its own refusals.
    if (caller && caller.kind !== 'public-token')
      this.#ports.refusals?.add(this.#route.id, caller.id, verdict.retryAfterSeconds);
    throw rateLimited(verdict.retryAfterSeconds);
  }
}

export function rateLimited(seconds: number, headers: Readonly<Record<string, string>> = {}): Problem {
  return new Problem(429, 'rate_limited', `Rate limit exceeded. Retry after ${seconds} seconds.`, { headers });
}

/**
 * Refuses a caller that returns to a route before its Retry-After has passed, before reading the body.
 * @throws Problem 429
 */
export function refuseEarlyReturn({ id }: Pick<Route, 'id'>, caller: LimitedCaller, refusals?: Refusals): void {
  const seconds = refusals?.waitSeconds(id, caller.id) ?? 0;
  if (seconds > 0) throw rateLimited(seconds, { 'retry-after': String(seconds) });
}

const demandsOf = (limits: readonly RateLimit[], subject: string): Demand[] =>
  limits.map((limit) => ({ limit, subject, tokens: 1 }));

function appliesTo(per: RouteRateLimit['per'], { kind }: LimitedCaller): boolean {
  if (per === 'principal' || per === 'caller') return true;
  return per === 'key' ? kind === 'key' : per === 'token' && kind === 'public-token';
}

/** A visitor of a public token. Many people share the token, so that each address counts as a separate caller. */
export function visitorSubject(tokenId: string, address: string): string {
  return `${tokenId}#${addressSubject(address)}`;
}

function subjectOf(per: RouteRateLimit['per'], { kind, id }: LimitedCaller, address: string): string {
  return per === 'caller' && kind === 'public-token' ? visitorSubject(id, address) : id;
}
