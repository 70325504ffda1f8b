import { type Account, availableKrw } from './account.ts';
import { type BudgetRefusal, budgetRefusal, type ExceededLimit } from './budgets.ts';

/** Paid work is refused before it starts. Nothing was charged; the message is for the client. */
export class FundsRefused extends Error {
  override name = 'FundsRefused';
  readonly refusal: 'insufficient_balance' | 'budget_used_up';
  readonly details: Readonly<Record<string, unknown>>;
  /** Null: waiting does not help. */
  readonly retryAfterSeconds: number | null;

  constructor(
    refusal: FundsRefused['refusal'],
    { message, details, retryAfterSeconds }: Pick<BudgetRefusal, 'message' | 'details'> & Partial<BudgetRefusal>,
  ) {
    super(message);
    this.refusal = refusal;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

export function insufficientBalance(account: Account, requiredKrw: number, what: string): FundsRefused {
  const { balanceKrw, heldKrw = 0 } = account;
  const held = heldKrw > 0 ? ` (${heldKrw} KRW are held for work under way)` : '';
  return new FundsRefused('insufficient_balance', {
    message:
      `The balance of ${balanceKrw} KRW${held} does not cover ${what} of up to ${requiredKrw} KRW. ` +
      'Top up, then send the request again; nothing was charged.',
    details: { balanceKrw, availableKrw: availableKrw(account), requiredKrw },
  });
}

export function budgetUsedUp(exceeded: ExceededLimit, nowMs: number): FundsRefused {
  return new FundsRefused('budget_used_up', budgetRefusal(exceeded, nowMs));
}
