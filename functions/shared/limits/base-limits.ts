import type { RateLimit } from './rate-limit.ts';

/** The limits of every route that is not exempt: of a caller with a valid credential, and of the address of any other. */
export interface BaseLimits {
  /** Null: switched off. */
  readonly user: RateLimit | null;
  readonly address: RateLimit | null;
}

/** Requests a minute, and completions at once, unless the deployment sets others. */
export const USER_LIMIT_PER_MINUTE = 600;
export const ADDRESS_LIMIT_PER_MINUTE = 300;
export const CHAT_LIMIT_PER_MINUTE = 20;
export const CHAT_LIMIT_BURST = 5;
/** Pages that are free of charge because they hold no drug table, of a workspace. */
export const FREE_PAGES_PER_DAY = 2_000;

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

/** As `perMinute`, of a day. */
export function perDay(name: string, rate: number): RateLimit {
  return { name, burst: rate, refillMs: Math.ceil(86_400_000 / rate) };
}

/** Images of batches. Each counts like a single call, regardless of the batch's size. */
export const batchImagesLimit = perMinute('batch-images', USER_LIMIT_PER_MINUTE);

/** Messages over WebSockets, of any kind: as many as requests. */
export const socketMessagesLimit = perMinute('socket-messages', USER_LIMIT_PER_MINUTE, 60);

/** New WebSockets. A client whose connection was closed for its messages cannot reopen it at once. */
export const socketConnectsLimit = perMinute('socket-connects', 60, 20);

/** Completions of a caller, as routes name it. */
export const chatLimit = perMinute('chat', CHAT_LIMIT_PER_MINUTE, CHAT_LIMIT_BURST);

/** The same of WebSockets, where a message is refused before a function is started for its answer. */
export const socketChatsLimit = perMinute('socket-chats', CHAT_LIMIT_PER_MINUTE, CHAT_LIMIT_BURST);

/** Limits of a deployment in place of those that routes name, by their names; null: switched off. */
export type LimitOverrides = Readonly<Partial<Record<string, RateLimit | null>>>;

/** The limit as the deployment has it; null: switched off. */
export function effectiveLimit(limit: RateLimit, overrides: LimitOverrides = {}): RateLimit | null {
  const override = overrides[limit.name];
  return override === undefined ? limit : override;
}

/** @param user requests a minute, and chat completions a minute, 0: no limit; chatBurst completions at once. */
export function limitOverrides(rates: { readonly user: number; readonly chat: number; readonly chatBurst: number }) {
  const { user, chat, chatBurst } = rates;
  return {
    [batchImagesLimit.name]: user === 0 ? null : perMinute(batchImagesLimit.name, user),
    ...(user === 0 && { [socketConnectsLimit.name]: null }),
    [socketMessagesLimit.name]:
      user === 0 ? null : perMinute(socketMessagesLimit.name, user, Math.min(user, socketMessagesLimit.burst)),
    [chatLimit.name]: chat === 0 ? null : perMinute(chatLimit.name, chat, chatBurst),
    [socketChatsLimit.name]: chat === 0 ? null : perMinute(socketChatsLimit.name, chat, chatBurst),
  } satisfies LimitOverrides;
}
