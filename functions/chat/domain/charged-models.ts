import { FundsRefused } from '../../accounts/domain/funds-refused.ts';
import type { HeldFunds, HeldMoney } from '../../accounts/domain/hold-funds.ts';
import { usageEvent } from '../../accounts/domain/usage.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { Answer } from './answer.ts';
import type { ModelConfig } from './application.ts';
import { type Asker, type ChatModels, ModelFailed, type ModelPart, type ModelRequest } from './chat-model.ts';
import { messageTokens } from './tokens.ts';

export interface ChargePorts {
  readonly funds: Pick<HeldFunds, 'hold'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly krwPer1kTokens: number;
}

/** Held for an answer whose length is not bounded. */
const ANSWER_TOKENS = 4_096;

/**
 * Models of the operator at a price. Models that a workspace connects itself are free. An answer is charged before its last part, so
 * that a client with the whole of it has paid. An answer that breaks off without the caller's doing is free; one that the caller
 * ends early costs its tokens so far, at least those of the question: the provider has read it.
 */
export class ChargedModels implements ChatModels {
  readonly #models: ChatModels;
  readonly #ports: ChargePorts;

  constructor(models: ChatModels, ports: ChargePorts) {
    this.#models = models;
    this.#ports = ports;
  }

  async *stream(...asked: Parameters<ChatModels['stream']>): AsyncGenerator<ModelPart> {
    const [model, asker, request, signal] = asked;
    const held = model.provider === 'openai-compatible' ? null : await this.#hold(model, asker, request);
    if (held === null) return yield* this.#models.stream(...asked);
    const answer = new Answer();
    const last: ModelPart[] = [];
    let state: 'unasked' | 'begun' | 'whole' | 'failed' = 'unasked';
    try {
      signal.throwIfAborted();
      state = 'begun';
      for await (const part of this.#models.stream(...asked)) {
        answer.add(part);
        if (part.kind === 'finish' || part.kind === 'usage') last.push(part);
        else yield part;
      }
      state = 'whole';
    } catch (error) {
      if (!signal.aborted || isTimeout(signal.reason)) state = 'failed';
      throw error;
    } finally {
      if (state === 'unasked' || state === 'failed') await held.release();
      else {
        const tokens = answer.usageFor(request.messages).total_tokens;
        await this.#charge(held, asker, tokens, state === 'whole');
      }
    }
    yield* last;
  }

  /** @throws ModelFailed 'insufficient_balance', 'budget_used_up' */
  async #hold(model: ModelConfig, asker: Asker, request: ModelRequest): Promise<HeldMoney | null> {
    const { workspaceId, applicationId, keyId = null, work } = asker;
    // Of all that the price depends on, too: for another question with the same key another price is due.
    const key = work?.key && JSON.stringify([work.key, model.provider, model.name, request]);
    const prompt = request.messages.reduce((sum, message) => sum + messageTokens(message), 0);
    const answer = request.maxTokens ?? Math.min(ANSWER_TOKENS, model.contextWindow);
    const reference = work?.reference ?? this.#ports.ids.next('answer');
    const paid = { workspaceId, applicationId: applicationId || null, keyId, kind: 'chat', reference } as const;
    try {
      return await this.#ports.funds.hold({ ...paid, ...(key && { key }) }, this.#price(prompt + answer));
    } catch (error) {
      if (!(error instanceof FundsRefused)) throw error;
      const { refusal, message, details, retryAfterSeconds } = error;
      throw new ModelFailed(refusal, message, { details, retryAfterSeconds, cause: error });
    }
  }

  async #charge(held: HeldMoney, asker: Asker, tokens: number, isWhole: boolean): Promise<void> {
    const { workspaceId, applicationId, keyId = null, work } = asker;
    const accessTokenId = work?.accessTokenId ?? null;
    const who = { workspaceId, applicationId: applicationId || null, keyId, accessTokenId, service: 'chat' } as const;
    const { amounts: _, ...usage } = usageEvent(who, {}, this.#ports.clock.now());
    // The call and its tokens are counted elsewhere, with the turn.
    await held.charge({ priceKrw: this.#price(tokens), usage: { ...usage, amounts: {} }, isWhole });
  }

  /** Rounded up. */
  #price(tokens: number): number {
    return Math.ceil((tokens * this.#ports.krwPer1kTokens) / 1_000);
  }
}

/** Time-outs are the service's, or the provider's: every reason of one names it. */
function isTimeout(reason: unknown): boolean {
  const { code, failure } = Object(reason) as {
    readonly code?: unknown;
    readonly failure?: { readonly code: unknown };
  };
  return code === 'timeout' || failure?.code === 'timeout';
}
