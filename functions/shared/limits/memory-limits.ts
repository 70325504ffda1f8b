import { BoundedMap } from '../bounded-map.ts';
import type { LimitStore, RateLimit, Taken } from './rate-limit.ts';

const MAX_REMEMBERED = 10_000;

/**
 * Buckets of this process alone. No process may pass more than a bucket holds, so that a flood is refused here before it reaches
 * the store that all share, and also while that does not answer.
 */
export class MemoryLimits implements LimitStore {
  readonly #fullAtMs = new BoundedMap<string, number>(MAX_REMEMBERED);

  async take({ name, burst, refillMs }: RateLimit, subject: string, tokens: number, nowMs: number): Promise<Taken> {
    const key = `${name} ${subject}`;
    const before = Math.max(this.#fullAtMs.get(key) ?? 0, nowMs);
    const fullAtMs = before + tokens * refillMs;
    if (fullAtMs > nowMs + burst * refillMs) return { taken: false, fullAtMs: before };
    this.#fullAtMs.set(key, fullAtMs);
    return { taken: true, fullAtMs };
  }
}
