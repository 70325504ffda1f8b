import type { TokenBudgets } from '../../accounts/domain/token-budgets.ts';
import { Answer } from './answer.ts';
import { type Asker, type ChatModels, ModelFailed, type ModelPart } from './chat-model.ts';

/** Models, within the budgets of tokens that workspaces set for their keys and applications. */
export class BudgetedModels implements ChatModels {
  readonly #models: ChatModels;
  readonly #budgets: Pick<TokenBudgets, 'admit'>;

  constructor(models: ChatModels, budgets: Pick<TokenBudgets, 'admit'>) {
    this.#models = models;
    this.#budgets = budgets;
  }

  async *stream(...asked: Parameters<ChatModels['stream']>): AsyncGenerator<ModelPart> {
    const [, asker, request] = asked;
    const count = await admitTokens(asker, this.#budgets);
    if (count === null) return yield* this.#models.stream(...asked);
    const answer = new Answer();
    let hasBegun = false;
    try {
      for await (const part of this.#models.stream(...asked)) {
        hasBegun = true;
        answer.add(part);
        yield part;
      }
    } finally {
      // What a model has started to answer is paid for, also where the client has left.
      if (hasBegun) await count(answer.usageFor(request.messages).total_tokens);
    }
  }
}

/**
 * @returns counts the used tokens; null without a limit.
 * @throws ModelFailed 'budget_used_up'
 */
export async function admitTokens(
  { workspaceId, applicationId, keyId = null }: Asker,
  budgets: Pick<TokenBudgets, 'admit'>,
): Promise<((tokens: number) => Promise<void>) | null> {
  const admission = await budgets.admit(workspaceId, { keyId, applicationId: applicationId || null });
  if ('count' in admission) return admission.count;
  const { message, retryAfterSeconds } = admission.refused;
  throw new ModelFailed('budget_used_up', message, { retryAfterSeconds });
}
