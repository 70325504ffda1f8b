/** After the first attempt; the fifth that fails is the end. */
export const MAX_RETRIES = 5;

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** Longer by up to this share, by chance. What a queue and a call add to that must stay below a fifth. */
const JITTER = 0.1;

/**
 * Time to wait before a retry: 1, 2, 4, 8 and 16 seconds.
 * @param retry 1 to 5. @param askedMs what the platform asks for; the longer one counts.
 */
export function deliveryDelayMs(retry: number, askedMs: number | null, random: () => number): number {
  const delayMs = FIRST_DELAY_MS * 2 ** (retry - 1) * (1 + JITTER * random());
  return Math.round(Math.max(Math.min(MAX_DELAY_MS, delayMs), askedMs ?? 0));
}

/** A retry that meets an open circuit waits, without using up an attempt; but not for longer than this in all. */
export const MAX_FAILING_MS = 15 * 60_000;

/** Replies of a channel whose credentials are refused wait for new ones, up to a day; so often one of them tries. */
export const MAX_BROKEN_MS = 24 * 60 * 60_000;
export const BROKEN_RETRY_MS = 5 * 60_000;
