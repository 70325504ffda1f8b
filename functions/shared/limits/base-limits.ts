import type { RateLimit } from './rate-limit.ts';

/** The limits of every route that is not exempt: of a caller with a valid credential, and of the address of any other. */
export interface BaseLimits {
  /** Null: switched off. */
  readonly user: RateLimit | null;
  readonly address: RateLimit | null;
}

export const USER_LIMIT_PER_MINUTE = 600;
export const ADDRESS_LIMIT_PER_MINUTE = 300;

/** @param rates requests a minute; 0: no limit. */
export function baseLimits(rates: { readonly user: number; readonly address: number }): BaseLimits {
  return {
    user: rates.user === 0 ? null : perMinute('user', rates.user),
    address: rates.address === 0 ? null : perMinute('address', rates.address),
  };
}

/** A bucket that gets `rate` tokens back in a minute. @param burst the minute's worth by default. */
export function perMinute(name: string, rate: number, burst = rate): RateLimit {
  return { name, burst, refillMs: Math.ceil(60_000 / rate) };
}

/** Completions of a caller: one every three seconds, and five at once. */
export const chatLimit = perMinute('chat', 20, 5);
