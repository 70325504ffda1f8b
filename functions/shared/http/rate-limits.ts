import { type LimitVerdict, limitHeaders, tightest } from '../limits/rate-limit.ts';
import { type Demand, type LimitPorts, takeTokens } from '../limits/take-tokens.ts';
import type { Principal } from '../principal.ts';
import type { HttpRequest } from './api-request.ts';
import { Problem } from './problem.ts';
import type { Route, RouteRateLimit } from './route.ts';

/** The limits of a route, as one request meets them: those by address, and then those that need to know more. */
export class RequestLimits {
  readonly #limits: readonly RouteRateLimit[];
  readonly #ports: LimitPorts | null;
  #verdicts: readonly LimitVerdict[] = [];

  /** @param ports null for a route without limits. */
  constructor({ rateLimits = [] }: Pick<Route, 'rateLimits'>, ports: LimitPorts | null) {
    this.#limits = rateLimits;
    this.#ports = ports;
  }

  /** @throws Problem 429 */
  async takeByAddress({ sourceAddress }: HttpRequest): Promise<void> {
    const byAddress = this.#limits.filter(({ per }) => per === 'address');
    await this.#take(byAddress.map(({ limit }) => ({ limit, subject: sourceAddress, tokens: 1 })));
  }

  /** @throws Problem 429 */
  async takeByPrincipal(principal: Principal | null, body: unknown): Promise<void> {
    const demands = this.#limits.flatMap(({ limit, per, cost }): Demand[] => {
      if (principal === null || !appliesTo(per, principal)) return [];
      const tokens = cost === undefined ? 1 : cost(body);
      return tokens === 0 ? [] : [{ limit, subject: principal.id, tokens }];
    });
    await this.#take(demands);
  }

  /** Of the tightest limit so far. */
  headers(): Readonly<Record<string, string>> {
    const verdict = tightest(this.#verdicts);
    return verdict === null ? {} : limitHeaders(verdict);
  }

  async #take(demands: readonly Demand[]): Promise<void> {
    if (this.#ports === null || demands.length === 0) return;
    this.#verdicts = [...this.#verdicts, ...(await takeTokens(demands, this.#ports))];
    const verdict = tightest(this.#verdicts);
    if (verdict === null || verdict.passes) return;
    const seconds = verdict.retryAfterSeconds;
    throw new Problem(429, 'rate_limited', `Rate limit exceeded. Retry after ${seconds} seconds.`);
  }
}

function appliesTo(per: RouteRateLimit['per'], { kind }: Principal): boolean {
  if (per === 'principal') return true;
  return per === 'key' ? kind === 'key' : per === 'token' && kind === 'public-token';
}
