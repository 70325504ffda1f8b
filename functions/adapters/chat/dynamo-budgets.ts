import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Budget, BudgetStore, Spending } from '../../chat/domain/visitor-budgets.ts';
import { and, below, type Condition, missing, or } from '../dynamodb/expressions.ts';
import { budgetKey, epochSeconds } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** Longer than a day that has started, on any clock. */
const KEPT_SECONDS = 3 * 24 * 60 * 60;

/** Counters, an item for each subject and day, in the table of the rate limits' buckets. */
export class DynamoBudgets implements BudgetStore {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  take(subject: string, day: string, { requests, tokens }: Budget): Promise<boolean> {
    const conditions = [...isLeft('requests', requests), ...isLeft('tokens', tokens)];
    return this.#add(subject, day, { requests: 1 }, conditions.length === 0 ? undefined : and(...conditions));
  }

  async giveBack(subject: string, day: string): Promise<void> {
    await this.#add(subject, day, { requests: -1 });
  }

  async addTokens(subject: string, day: string, tokens: number): Promise<void> {
    await this.#add(subject, day, { tokens });
  }

  async spent(subjects: readonly string[], day: string): Promise<readonly Spending[]> {
    const items = await this.#table.getAll<Partial<Spending> & { readonly pk: string }>(
      subjects.map((subject) => budgetKey(subject, day)),
    );
    const byKey = new Map(items.map((item) => [item.pk, item]));
    return subjects.map((subject) => {
      const { requests = 0, tokens = 0 } = byKey.get(budgetKey(subject, day).pk) ?? {};
      return { requests, tokens };
    });
  }

  #add(subject: string, day: string, add: Partial<Spending>, condition?: Condition): Promise<boolean> {
    const expiresAt = epochSeconds(Date.parse(day)) + KEPT_SECONDS;
    return this.#table.update(budgetKey(subject, day), {
      orCreate: true,
      set: { expiresAt },
      add: { ...add },
      ...(condition && { condition }),
    });
  }
}

function isLeft(counter: keyof Spending, budget: number | null): Condition[] {
  return budget === null ? [] : [or(missing(counter), below(counter, budget))];
}
