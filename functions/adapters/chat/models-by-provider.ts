import type { ApplicationId, ModelConfig } from '../../chat/domain/application.ts';
import type { SecretBox } from '../../chat/domain/application-ports.ts';
import type { ChatModels, ModelPart, ModelRequest } from '../../chat/domain/chat-model.ts';
import { ModelFailed } from '../../chat/domain/chat-model.ts';
import { secretContext } from '../../chat/domain/manage-applications.ts';
import { SafeFetch } from '../web/safe-fetch.ts';
import { OpenAiModel } from './openai-model.ts';

export interface ProviderOptions {
  /** Local mode: servers on this very machine may be asked. */
  readonly allowLoopback: boolean;
  readonly secrets: Pick<SecretBox, 'open'>;
}

/** The provider that a model's configuration names. Rarely used ones are loaded with their first call. */
export class ModelsByProvider implements ChatModels {
  readonly #openAi: OpenAiModel;
  readonly #secrets: Pick<SecretBox, 'open'>;

  constructor({ allowLoopback, secrets }: ProviderOptions) {
    this.#openAi = new OpenAiModel(new SafeFetch({ field: 'the base_url of the model', allowLoopback }));
    this.#secrets = secrets;
  }

  async *stream(
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
        const key = apiKey === null ? null : await this.#secrets.open(apiKey, secretContext(application));
        const caller = { apiKey: key, owner: application.workspaceId };
        return yield* this.#openAi.stream({ ...model, baseUrl }, caller, request, signal);
      }
      case 'bedrock': {
        const { bedrockAnswer } = await import('./bedrock-model.ts');
        return yield* bedrockAnswer(model, request, signal);
      }
    }
  }
}
