import { dayOf } from '../../accounts/domain/usage.ts';
import type { Clock } from '../../shared/ports/clock.ts';

/** Budgets of public access tokens: what all visitors of a token together, and each of them, may use in a day (UTC). */

/** Null: as much as they like. */
export interface DailyBudgets {
  readonly requestsPerDay: number | null;
  /** Of questions and answers together. */
  readonly tokensPerDay: number | null;
  readonly visitorRequestsPerDay: number | null;
  readonly visitorTokensPerDay: number | null;
}

/** Of tokens whose owner named none, and of those that are older than budgets. */
export const DEFAULT_BUDGETS: DailyBudgets = {
  requestsPerDay: 5_000,
  tokensPerDay: 5_000_000,
  visitorRequestsPerDay: 200,
  visitorTokensPerDay: 200_000,
};

export interface Budget {
  readonly requests: number | null;
  readonly tokens: number | null;
}

export interface Spending {
  readonly requests: number;
  readonly tokens: number;
}

/** Spending in a day, by subject. */
export interface BudgetStore {
  /** Counts a request, atomically. @returns false, with nothing counted, when requests or tokens are used up. */
  take(subject: string, day: string, budget: Budget): Promise<boolean>;
  giveBack(subject: string, day: string): Promise<void>;
  addTokens(subject: string, day: string, tokens: number): Promise<void>;
  /** Of each subject. */
  spent(subjects: readonly string[], day: string): Promise<readonly Spending[]>;
}

export interface BudgetHolder {
  readonly tokenId: string;
  /** Names the visitor among those of the token. */
  readonly visitor: string;
  readonly budgets: DailyBudgets;
}

export interface BudgetPorts {
  readonly budgets: BudgetStore;
  readonly clock: Clock;
}

/** A visitor, or all visitors together, have used up their day. */
export class BudgetUsedUp extends Error {
  override name = 'BudgetUsedUp';
  /** Until the next day starts. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Counts a request of a visitor. A visitor beyond its own budget takes nothing from that of all. Tokens are known after the
 * answer: a budget can be exceeded by the answers that are under way when it ends.
 * @returns counts the answer's tokens. @throws BudgetUsedUp
 */
export async function spendRequest(
  { tokenId, visitor, budgets }: BudgetHolder,
  { budgets: store, clock }: BudgetPorts,
): Promise<(tokens: number) => Promise<void>> {
  const nowMs = clock.now();
  const day = dayOf(nowMs);
  const usedUp = (whose: string) =>
    new BudgetUsedUp(
      `${whose} for today is used up. The next day starts at 00:00 UTC.`,
      Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000),
    );
  const ofVisitor = { requests: budgets.visitorRequestsPerDay, tokens: budgets.visitorTokensPerDay };
  if (!(await store.take(visitor, day, ofVisitor))) throw usedUp('Your budget of this chatbot');
  if (!(await store.take(tokenId, day, { requests: budgets.requestsPerDay, tokens: budgets.tokensPerDay }))) {
    await store.giveBack(visitor, day);
    throw usedUp('The budget of this chatbot');
  }
  return async (tokens) => {
    await Promise.all([visitor, tokenId].map((subject) => store.addTokens(subject, day, tokens)));
  };
}
