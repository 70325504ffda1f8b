import { logger } from '../shared/logging.ts';
import { LIMIT_STORE_FAILURES, METRICS_NAMESPACE } from '../shared/metric-names.ts';

/** Counts a request that passed because the store of the rate limits did not answer; an alarm watches the count. */
export async function countLimitStoreFailure(error: unknown): Promise<void> {
  logger().error('The store of the rate limits does not answer', { error: error as Error });
  // Only now: it is hardly ever needed, and a cold start would pay for it.
  const { Metrics, MetricUnit } = await import('@aws-lambda-powertools/metrics');
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE });
  metrics.addMetric(LIMIT_STORE_FAILURES, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}
