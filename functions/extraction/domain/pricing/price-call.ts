import { type Account, availableKrw, FREE_CALLS } from '../../../accounts/domain/account.ts';
import type { Posting } from '../../../accounts/domain/posting.ts';

export const CALL_PRICE_KRW = 200;

/** Price of one extraction: the first calls that found a table are free, the others cost 200 KRW each. */
export type Charge =
  /** No table was found: nothing is charged, and no free call is used up. */
  | { readonly kind: 'none'; readonly krw: 0 }
  | { readonly kind: 'free_call'; readonly krw: 0 }
  | { readonly kind: 'paid'; readonly krw: typeof CALL_PRICE_KRW };

type Funds = Pick<Account, 'balanceKrw' | 'heldKrw' | 'freeCallsUsed'>;

/** @returns null when the balance does not cover a successful call. */
export function priceCall(funds: Funds, foundTable: boolean): Charge | null {
  if (!foundTable) return { kind: 'none', krw: 0 };
  if (funds.freeCallsUsed < FREE_CALLS) return { kind: 'free_call', krw: 0 };
  return availableKrw(funds) >= CALL_PRICE_KRW ? { kind: 'paid', krw: CALL_PRICE_KRW } : null;
}

/** The posting of a charge; null for a call that is not charged. */
export function chargePosting({ kind, krw }: Charge, extractionId: string): Posting | null {
  if (kind === 'none') return null;
  return {
    // Without a negative zero, which DynamoDB would store and JSON would show as 0.
    amountKrw: 0 - krw,
    freeCalls: kind === 'free_call' ? 1 : 0,
    kind: 'extraction',
    reference: extractionId,
  };
}
