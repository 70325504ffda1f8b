import { METRICS_NAMESPACE, type MetricName } from '../../shared/metric-names.ts';

/**
 * One line of CloudWatch's embedded metric format. Written by hand: it is on the way of every response, and the library would take
 * longer to load than the line to write.
 */
export function metricLine(
  values: Partial<Record<MetricName, number>>,
  unit: 'Count' | 'Milliseconds',
  service: string,
  nowMs: number,
): string {
  const Metrics = Object.keys(values).map((Name) => ({ Name, Unit: unit }));
  const CloudWatchMetrics = [{ Namespace: METRICS_NAMESPACE, Dimensions: [['service']], Metrics }];
  return JSON.stringify({ _aws: { Timestamp: nowMs, CloudWatchMetrics }, service, ...values });
}
