import { logger } from '../../shared/logging.ts';
import { LIMIT_STORE_FAILURES } from '../../shared/metric-names.ts';
import { countMetric } from './count-metric.ts';

/** Counts a request that passed because the store of the rate limits did not answer; an alarm watches the count. */
export async function countLimitStoreFailure(error: unknown): Promise<void> {
  logger().error('The store of the rate limits does not answer', { error: error as Error });
  await countMetric(LIMIT_STORE_FAILURES);
}
