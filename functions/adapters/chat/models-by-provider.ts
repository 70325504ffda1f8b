import type { ApplicationId, ModelConfig } from '../../chat/domain/application.ts';
import type { ChatModels, ModelPart, ModelRequest } from '../../chat/domain/chat-model.ts';
import { ModelFailed } from '../../chat/domain/chat-model.ts';
import { secretContext } from '../../chat/domain/manage-applications.ts';
import type { FreeWork } from '../../shared/limits/free-work.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import { streamInSpan } from '../../shared/tracing/spans.ts';
import { chatSpan, observePart } from './model-spans.ts';
import type { OpenAiModel } from './openai-model.ts';
import { withinBudget } from './operator-tokens.ts';

export interface ProviderOptions {
  /** Local mode: servers on this very machine may be asked. */
  readonly allowLoopback: boolean;
  readonly secrets: Pick<SecretBox, 'open'>;
  /** Budget of tokens of models that the operator pays for, by workspace; absent: unlimited. */
  readonly operatorTokens?: Pick<FreeWork, 'waitSeconds' | 'count'> | undefined;
}

/** The provider that a model's configuration names. Each is loaded with its first call. */
export class ModelsByProvider implements ChatModels {
  readonly #openAi: () => Promise<OpenAiModel>;
  readonly #secrets: Pick<SecretBox, 'open'>;
  readonly #operatorTokens: ProviderOptions['operatorTokens'];

  constructor({ allowLoopback, secrets, operatorTokens }: ProviderOptions) {
    this.#openAi = memoizeAsync(async () => {
      const [{ OpenAiModel }, { SafeFetch }] = await Promise.all([
        import('./openai-model.ts'),
        import('../web/safe-fetch.ts'),
      ]);
      return new OpenAiModel(new SafeFetch({ field: 'the base_url of the model', allowLoopback }));
    });
    this.#secrets = secrets;
    this.#operatorTokens = operatorTokens;
  }

  stream(...asked: Parameters<ChatModels['stream']>): AsyncGenerator<ModelPart> {
    return streamInSpan(...chatSpan(asked[0]), this.#stream(...asked), observePart);
  }

  async *#stream(
    model: ModelConfig,
    application: ApplicationId,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    switch (model.provider) {
      case 'embedded': {
        const { embeddedAnswer } = await import('./embedded-model.ts');
        return yield* embeddedAnswer(request);
      }
      case 'openai-compatible': {
        const { apiKey, baseUrl } = model;
        if (baseUrl === null) throw new ModelFailed('provider_error', 'The model has no base_url.');
        const [openAi, key] = await Promise.all([
          this.#openAi(),
          apiKey === null ? null : this.#secrets.open(apiKey, secretContext(application)),
        ]);
        const caller = { apiKey: key, owner: application.workspaceId };
        return yield* openAi.stream({ ...model, baseUrl }, caller, request, signal);
      }
      case 'bedrock': {
        const [{ bedrockAnswer }, { countFailures }] = await Promise.all([
          import('./bedrock-model.ts'),
          import('./count-failures.ts'),
        ]);
        return yield* withinBudget(application.workspaceId, this.#operatorTokens, () =>
          countFailures(bedrockAnswer(model, request, signal)),
        );
      }
    }
  }
}
