import type { Account } from '../../../accounts/domain/account.ts';

export const CALL_PRICE_KRW = 200;
export const FREE_CALLS = 10;

/** What one extraction costs its workspace. Specification 1 §4 rule 1. */
export type Charge =
  /** No table was found: no success, nothing charged, no free call used up. */
  | { readonly kind: 'none'; readonly krw: 0 }
  | { readonly kind: 'free_call'; readonly krw: 0 }
  | { readonly kind: 'paid'; readonly krw: typeof CALL_PRICE_KRW };

type Funds = Pick<Account, 'balanceKrw' | 'freeCallsUsed'>;

/** @returns null when the balance does not cover a successful call. */
export function priceCall(funds: Funds, foundTable: boolean): Charge | null {
  if (!foundTable) return { kind: 'none', krw: 0 };
  if (funds.freeCallsUsed < FREE_CALLS) return { kind: 'free_call', krw: 0 };
  return funds.balanceKrw >= CALL_PRICE_KRW ? { kind: 'paid', krw: CALL_PRICE_KRW } : null;
}

export function applyCharge<F extends Funds>(funds: F, charge: Charge): F {
  const balanceKrw = funds.balanceKrw - charge.krw;
  if (balanceKrw < 0 || !Number.isSafeInteger(balanceKrw))
    throw new Error(`A charge of ${charge.krw} KRW would leave ${balanceKrw} KRW.`);
  return { ...funds, balanceKrw, freeCallsUsed: funds.freeCallsUsed + (charge.kind === 'free_call' ? 1 : 0) };
}
