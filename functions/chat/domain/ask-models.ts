import { type RetrySchedule, retryDelayMs } from '../../shared/leases/retry-schedule.ts';
import type { AnswerPart } from './answer-part.ts';
import { type ApplicationConfig, modelIdentity, modelsOf } from './application.ts';
import { type Asker, type ChatModels, ModelFailed, type ModelPart, type ModelRequest } from './chat-model.ts';
import { withoutCustomTools } from './custom-tools.ts';
import { requestFor } from './model-request-for.ts';

export interface AskPorts {
  readonly models: ChatModels;
  readonly pause: { wait(ms: number, signal: AbortSignal): Promise<void> };
}

export const MAX_ATTEMPTS = 3;
const DELAYS: RetrySchedule = { firstMs: 500, factor: 2, maxMs: 8_000, jitter: 0.25 };
/** Parts with members that only the model that gave them takes back. */
const HAS_ORIGIN: readonly ModelPart['kind'][] = ['reasoning', 'opaque', 'tool_calls'];
/** A provider that asks for a longer pause is left alone: the next model may answer sooner. */
const MAX_ADVISED_SECONDS = 10;

/**
 * The parts of the first model that answers. One that fails before its first part is asked again where that may help, and
 * then the next one is asked; once a client has a part, a failure is the end.
 * @throws ModelFailed; what `signal` was aborted with.
 */
export async function* askModels(
  application: Asker & { readonly config: Pick<ApplicationConfig, 'model' | 'fallbacks'> },
  request: ModelRequest,
  signal: AbortSignal,
  { models, pause }: AskPorts,
): AsyncGenerator<AnswerPart> {
  const configured = modelsOf(application.config);
  for (const [index, model] of configured.entries()) {
    const { request: asked, answered } = withoutCustomTools(model, requestFor(model, request, index === 0));
    for (let attempt = 1; ; attempt++) {
      let hasBegun = false;
      try {
        for await (const part of answered(models.stream(model, application, asked, signal))) {
          hasBegun = true;
          yield HAS_ORIGIN.includes(part.kind) ? ({ ...part, model: modelIdentity(model) } as ModelPart) : part;
        }
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (hasBegun || !(error instanceof ModelFailed)) throw error;
        const delayMs = attempt < MAX_ATTEMPTS ? delayBefore(attempt, error) : null;
        const isLast = index === configured.length - 1;
        if (delayMs === null && (isLast || !mayHelp(error)))
          throw attempt > 1 || index > 0 ? error.afterRetries() : error;
        const { code, message } = error;
        yield {
          kind: 'retry',
          code,
          message,
          maxAttempts: MAX_ATTEMPTS,
          ...(delayMs === null
            ? { scope: 'fallback', attempt: 1, delayMs: 0 }
            : { scope: 'model', attempt: attempt + 1, delayMs }),
        };
        if (delayMs === null) break;
        await pause.wait(delayMs, signal);
        signal.throwIfAborted();
      }
    }
  }
}

/** @returns null when the same model is not to be asked again. */
function delayBefore(attempt: number, { isPassing, retryAfterSeconds }: ModelFailed): number | null {
  if (!isPassing || (retryAfterSeconds ?? 0) > MAX_ADVISED_SECONDS) return null;
  return Math.round(Math.max(retryDelayMs(DELAYS, attempt), (retryAfterSeconds ?? 0) * 1000));
}

/** Whether another model may succeed: a faulty request fails on all, budgets cover all, and a workspace's own model costs nothing. */
function mayHelp({ code }: ModelFailed): boolean {
  return code !== 'invalid_request' && code !== 'budget_used_up';
}
