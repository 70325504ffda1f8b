import { ModelFailed, type ModelPart } from '../../chat/domain/chat-model.ts';
import { MODEL_FAILURES } from '../../shared/metric-names.ts';
import { countMetric } from '../shared/count-metric.ts';

/** Failures of the provider, none of the request. */
const OF_PROVIDER: readonly ModelFailed['code'][] = ['provider_error', 'timeout', 'auth_error', 'rate_limit'];

/** Counts failures of a model that the operator provides. Those of a workspace's own provider do not concern the operator. */
export async function* countFailures(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  try {
    yield* parts;
  } catch (error) {
    if (error instanceof ModelFailed && OF_PROVIDER.includes(error.code)) await countMetric(MODEL_FAILURES);
    throw error;
  }
}
