import { ModelFailed, type ModelPart } from '../../chat/domain/chat-model.ts';
import type { FreeWork } from '../../shared/limits/free-work.ts';

/**
 * The answer of a model that the operator pays for, within the daily budget of tokens of its workspace and of all workspaces.
 * @throws ModelFailed 'rate_limit' where a budget is spent; the model is not asked then
 */
export async function* withinBudget(
  workspaceId: string,
  budget: Pick<FreeWork, 'waitSeconds' | 'count'> | undefined,
  ask: () => AsyncIterable<ModelPart>,
): AsyncGenerator<ModelPart> {
  const seconds = (await budget?.waitSeconds(workspaceId)) ?? 0;
  if (seconds > 0)
    throw new ModelFailed(
      'rate_limit',
      `The tokens of the operator's models are used up for today. Use a model with your own key, or try again in ${seconds} s.`,
    );
  for await (const part of ask()) {
    yield part;
    if (part.kind === 'usage')
      await budget?.count(workspaceId, part.usage.prompt_tokens + part.usage.completion_tokens);
  }
}
