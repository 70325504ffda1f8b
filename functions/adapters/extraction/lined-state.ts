import type { SettledCharge } from '../../extraction/domain/line/settlement-line.ts';

/** The state of a settlement in the line; it decides whether its page becomes an extraction. */
export type LinedState =
  | { readonly status: 'waiting' }
  | { readonly status: 'dropped' }
  | (SettledCharge & { readonly status: 'settled'; readonly createdAt: string; readonly expiresAt: number });
