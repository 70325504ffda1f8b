import { BoundedMap } from '../../shared/bounded-map.ts';
import type { DayCounters } from '../../shared/limits/free-work.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { type BudgetNotice, budgetNotice } from './budget-mail.ts';
import {
  type Budget,
  type BudgetRefusal,
  type Budgets,
  budgetedNames,
  budgetRefusal,
  type Payer,
  periodsOf,
  reachesNotice,
  type SpentLimit,
} from './budgets.ts';

export interface TokenBudgetPorts {
  /** @returns undefined where the workspace has none. */
  readonly budgetsOf: (workspaceId: string) => Promise<Budgets | undefined>;
  readonly counters: DayCounters;
  readonly notices: { add(notice: BudgetNotice): Promise<void> };
  readonly clock: Clock;
  /** Called when a store does not answer: the call passes, and an alarm counts it. */
  readonly storeFailed: (error: unknown) => Promise<void>;
}

export type Admission =
  | { readonly refused: BudgetRefusal }
  /** Counts the tokens of the answer. Null where no budget counts them. */
  | { readonly count: ((tokens: number) => Promise<void>) | null };

/** A change of a budget takes effect after so long at the latest. */
const RECENT_MS = 1_000;
const MAX_RECENT = 200;

/**
 * The budgets of tokens that workspaces set for their keys and applications. Tokens are known after the answer: a budget can be exceeded by
 * the answers that are under way when it ends.
 */
export class TokenBudgets {
  readonly #ports: TokenBudgetPorts;
  readonly #recent = new BoundedMap<string, { readonly reading: Promise<Budgets | undefined>; readonly atMs: number }>(
    MAX_RECENT,
  );

  constructor(ports: TokenBudgetPorts) {
    this.#ports = ports;
  }

  /** Starts to read the budgets of a workspace, so that `admit` need not wait for them in turn. */
  prefetch(workspaceId: string): void {
    void this.#budgetsOf(workspaceId);
  }

  async admit(workspaceId: string, payer: Payer): Promise<Admission> {
    try {
      return await this.#admit(workspaceId, payer);
    } catch (error) {
      await this.#ports.storeFailed(error);
      return { count: null };
    }
  }

  async #admit(workspaceId: string, payer: Payer): Promise<Admission> {
    const budgets = await this.#budgetsOf(workspaceId);
    const nowMs = this.#ports.clock.now();
    const limits = budgetedNames(budgets, payer).flatMap((name) => tokenLimits(name, budgets![name]!));
    if (limits.length === 0) return { count: null };
    const { counters } = this.#ports;
    const spent = await Promise.all(
      limits.map(async (limit) => ({ ...limit, spent: await counters.read(...counterOf(workspaceId, limit, nowMs)) })),
    );
    const exceeded = spent.find((limit) => limit.spent >= limit.limit);
    if (exceeded) return { refused: budgetRefusal(exceeded, nowMs) };
    return { count: (tokens) => this.#count(workspaceId, limits, tokens, nowMs) };
  }

  async #count(workspaceId: string, limits: readonly TokenLimit[], tokens: number, nowMs: number): Promise<void> {
    if (tokens === 0) return;
    const { counters, notices, storeFailed } = this.#ports;
    try {
      await Promise.all(
        limits.map(async (limit) => {
          const spent = await counters.add(...counterOf(workspaceId, limit, nowMs), tokens);
          if (reachesNotice({ ...limit, spent }, tokens))
            await notices.add(budgetNotice(workspaceId, { ...limit, spent }, nowMs));
        }),
      );
    } catch (error) {
      await storeFailed(error);
    }
  }

  #budgetsOf(workspaceId: string): Promise<Budgets | undefined> {
    const nowMs = this.#ports.clock.now();
    const recent = this.#recent.get(workspaceId);
    if (recent && nowMs - recent.atMs < RECENT_MS) return recent.reading;
    const reading = this.#ports.budgetsOf(workspaceId);
    this.#recent.set(workspaceId, { reading, atMs: nowMs });
    // Callers waiting for it get the failure; the next call reads again.
    reading.catch(() => this.#recent.delete(workspaceId));
    return reading;
  }
}

type TokenLimit = Omit<SpentLimit, 'spent'>;

function tokenLimits(name: string, { tokensPerDay, tokensPerMonth }: Budget): TokenLimit[] {
  return [
    ...(tokensPerDay === null ? [] : [{ name, field: 'tokens_per_day', limit: tokensPerDay } as const]),
    ...(tokensPerMonth === null ? [] : [{ name, field: 'tokens_per_month', limit: tokensPerMonth } as const]),
  ];
}

/** Counter of a limit, and the last day of its period, after which it is of no use. */
function counterOf(
  workspaceId: string,
  { name, field }: Pick<TokenLimit, 'name' | 'field'>,
  nowMs: number,
): readonly [counter: string, day: string] {
  const { day, month } = periodsOf(nowMs);
  if (field === 'tokens_per_day') return [`tokens ${workspaceId} ${name}`, day];
  const [year, number] = month.split('-').map(Number) as [number, number];
  const lastDay = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return [`month's tokens ${workspaceId} ${name}`, lastDay];
}

/** Tokens of a budget that are spent, where it limits them. */
export async function spentTokens(
  workspaceId: string,
  name: string,
  budget: Budget,
  { counters, clock }: Pick<TokenBudgetPorts, 'counters' | 'clock'>,
): Promise<{ readonly day: number | null; readonly month: number | null }> {
  const nowMs = clock.now();
  const limits = tokenLimits(name, budget);
  const spentOf = async (field: SpentLimit['field']) => {
    const limit = limits.find((each) => each.field === field);
    return limit ? counters.read(...counterOf(workspaceId, limit, nowMs)) : null;
  };
  const [day, month] = await Promise.all([spentOf('tokens_per_day'), spentOf('tokens_per_month')]);
  return { day, month };
}
