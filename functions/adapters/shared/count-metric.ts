import { METRICS_NAMESPACE, type MetricName } from '../../shared/metric-names.ts';

/** Adds to a count that an alarm watches. */
export async function countMetric(name: MetricName, count = 1): Promise<void> {
  // Loaded at first use: it is hardly ever needed.
  const { Metrics, MetricUnit } = await import('@aws-lambda-powertools/metrics');
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE });
  metrics.addMetric(name, MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}
